<?php
// PHP 8 with the curl extension.
const URL = 'http://127.0.0.1:8080/v1/agent/chat';

function stream(string $message, string $sessionId): void
{
    $idempotencyKey = bin2hex(random_bytes(16));
    $giveUp = time() + 200;
    for ($backoff = 1; time() < $giveUp; $backoff = min(2 * $backoff, 8)) {
        $rest = $last = $data = $retryAfter = '';
        $curl = curl_init(URL);
        curl_setopt_array($curl, [
            CURLOPT_POST => true,
            CURLOPT_TIMEOUT => 100,
            CURLOPT_HTTPHEADER => [
                'Authorization: Bearer ' . getenv('AGENTCHAT_API_KEY'),
                'Content-Type: application/json',
                'Idempotency-Key: ' . $idempotencyKey,
            ],
            CURLOPT_POSTFIELDS => json_encode(
                ['message' => $message, 'session_id' => $sessionId, 'stream' => true],
                JSON_THROW_ON_ERROR
            ),
            CURLOPT_HEADERFUNCTION => function ($curl, string $line) use (&$retryAfter): int {
                if (preg_match('/^retry-after: *(\d+)/i', $line, $found)) {
                    $retryAfter = $found[1];
                }
                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => function ($curl, string $part) use (&$rest, &$last, &$data): int {
                $events = explode("\n\n", $rest . $part);
                $rest = array_pop($events);
                foreach ($events as $event) {
                    if (preg_match('/^event: (\w+)\ndata: (.*)$/s', $event, $found)) {
                        [, $last, $data] = $found;
                        if ($last === 'delta') {
                            echo json_decode($data, true, 512, JSON_THROW_ON_ERROR)['text'];
                            flush();
                        }
                    }
                }
                return strlen($part);
            },
        ]);
        curl_exec($curl);
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        if ($status !== 200 && $status !== 0 && $retryAfter === '') {
            throw new RuntimeException($status . ': ' . $rest);
        }
        if ($last === 'error' && !str_contains($data, '"code":"unavailable"')) {
            throw new RuntimeException($data);
        }
        echo PHP_EOL;
        if ($last === 'end') {
            return;
        }
        echo 'again: ', curl_error($curl), PHP_EOL;
        sleep($retryAfter === '' ? $backoff : (int) $retryAfter);
    }
    throw new RuntimeException('There was no reply within 200 seconds.');
}

stream('Hello!', 'customer-42');
