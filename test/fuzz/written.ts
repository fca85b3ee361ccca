// Good texts to begin with, of each kind that is read.

export const config = [
  `server: { port: 8420, auth: token }
claude: { command: claude, args: [--verbose], env: { A: b }, default_model: opus }
profiles:
  night: { agent: claude, model: opus, env: { X: y }, worktree: true, tags: [night] }
policies:
  - { allow: Bash, pattern: 'npm test *' }
  - { deny: Edit, pattern: '/etc/**', profile: night }
on:
  - { when: [waiting, failed], run: [notify-send, sm] }
`,
  'server:\n  port: 8421\nremind:\n  soft: 180\n  hard_gap: 120\nanchors: &a [1, 2]\nagain: *a\n',
];

export const team = [
  `team: night
directory: ~/src/shop
manager: { agent: claude, prompt: lead }
workers:
  first: { agent: codex, prompt: 'do it', worktree: true, tags: [a] }
  second: { profile: night, directory: packages/a, add_dirs: [../b] }
`,
];

export const templates = [
  `engineer:
  about: writes code
  template: |
    You are {{role}}. {{#if task}}Do {{task}}.{{/if}}
  defaults: { task: nothing }
reviewer:
  template: Review {{what}}.
`,
];

export const settings = [
  '{"hooks":{"Stop":[{"matcher":"*","hooks":[{"type":"command","command":"sm hook"}]}]},"env":{"A":"b\\u0000"}}',
  '{\n  // mine\n  "model": "opus", // the best\n  "list": [1, 2.5e3, -0, true, null,],\n}\n',
];

export const response = [
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\nx-sm-version: 0.1.0\r\n\r\n{}',
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
];

export const patch = [
  `diff --git a/a.ts b/a.ts
index 1..2 100644
--- a/a.ts
+++ b/a.ts
@@ -1,2 +1,3 @@ function
 one
-two
+three
+four
\\ No newline at end of file
diff --git "a/\\303\\244.txt" "b/\\303\\244.txt"
new file mode 100644
Binary files /dev/null and b/x.png differ
`,
];

export const screens = [
  'sm-1|%1|77|0||\nsm-2|%2|78|1|0|\n',
  '77|80|24|2|20|0|0|title | with a bar\n',
  '╭───────╮\n│ > hello\u00a0\u001b[7m \u001b[0m│\n╰───────╯\n  ⏵⏵ accept edits on\n',
  '\u001b[1m› \u001b[0m\u001b[2mAsk Codex to do anything\u001b[0m\n\n  gpt-5 · 100% context left\n',
  '✻ Thinking… (esc to interrupt)\n❯ 1. Yes\n  2. No\n',
  '0 1794866687\n1 0\n',
];

export const controlLines = [
  '%begin 1 2 1',
  '%end 1 2 1',
  '%error 1 2 1',
  '%begin 1 3 0',
  '%end 1 3 0',
  '%output %1 hello',
  '%exit server exited',
  '%session-changed $1 x',
  'a line of an answer',
];
