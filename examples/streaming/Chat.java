// Java 17 or later: java Chat.java. In your own program, use a JSON library instead of text().
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Chat {
    static final URI URL = URI.create("http://127.0.0.1:8080/v1/agent/chat");
    static final HttpClient CLIENT = HttpClient.newHttpClient();
    static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    public static void main(String[] args) throws Exception {
        String idempotencyKey = UUID.randomUUID().toString();
        String body = "{\"message\": \"Hello!\", \"session_id\": \"customer-42\", \"stream\": true}";
        long start = System.nanoTime();
        long backoff = 1;
        while (System.nanoTime() - start < 200_000_000_000L) { // 200 s
            long seconds = backoff;
            backoff = Math.min(2 * backoff, 8);
            HttpRequest request = HttpRequest.newBuilder(URL)
                .timeout(Duration.ofSeconds(100))
                .header("Authorization", "Bearer " + System.getenv("AGENTCHAT_API_KEY"))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", idempotencyKey)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
            try {
                var response = CLIENT.send(request, HttpResponse.BodyHandlers.ofInputStream());
                var retryAfter = response.headers().firstValueAsLong("Retry-After");
                if (response.statusCode() != 200 && retryAfter.isEmpty()) {
                    String refusal = new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
                    throw new IllegalStateException(response.statusCode() + ": " + refusal);
                }
                var lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
                String event = "";
                for (String line; (line = lines.readLine()) != null; ) {
                    if (line.startsWith("event: ")) {
                        event = line.substring(7);
                    } else if (line.startsWith("data: ") && event.equals("delta")) {
                        OUT.print(text(line.substring(6)));
                        OUT.flush();
                    } else if (line.startsWith("data: ") && event.equals("error")) {
                        if (!line.contains("\"code\":\"unavailable\"")) {
                            throw new IllegalStateException(line.substring(6));
                        }
                    } else if (line.startsWith("data: ") && event.equals("end")) {
                        OUT.println();
                        return;
                    }
                }
                seconds = retryAfter.orElse(seconds);
                OUT.println("\nagain");
            } catch (IOException cut) {
                OUT.println("\nagain: " + cut);
            }
            Thread.sleep(1000 * seconds);
        }
        throw new IllegalStateException("There was no reply within 200 seconds.");
    }

    /** Returns the text in the data of a delta, {"text":"…"}. */
    static String text(String data) {
        String quoted = data.substring(data.indexOf(':') + 1).replaceAll("^\\s*\"|\"\\s*}$", "");
        return Pattern.compile("\\\\(u[0-9a-fA-F]{4}|.)").matcher(quoted).replaceAll(found -> {
            String escaped = found.group(1);
            int place = "nrtbf".indexOf(escaped);
            String character = escaped.length() > 1 ? String.valueOf((char) Integer.parseInt(escaped.substring(1), 16))
                : place >= 0 ? String.valueOf("\n\r\t\b\f".charAt(place)) : escaped;
            return Matcher.quoteReplacement(character);
        });
    }
}
