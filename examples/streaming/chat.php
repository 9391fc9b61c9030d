<?php
// PHP 8 with the curl extension.
const URL = 'http://127.0.0.1:8080/v1/agent/chat';

function stream(string $message, string $sessionId): void
{
    $idempotencyKey = bin2hex(random_bytes(16));
    for ($attempt = 0; $attempt < 4; $attempt++) {
        $rest = $last = $data = '';
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
        if ($status !== 200 && $status !== 0) {
            throw new RuntimeException($status . ': ' . $rest);
        }
        if ($last === 'error') {
            throw new RuntimeException($data);
        }
        echo PHP_EOL;
        if ($last === 'end') {
            return;
        }
        echo 'cut: ', curl_error($curl), PHP_EOL;
        sleep(2 ** $attempt);
    }
    throw new RuntimeException('The stream was cut each time.');
}

stream('Hello!', 'customer-42');
