import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerOf, idAt, isOurs, slimEvent, windowsPath } from './wire.ts';

const frame = (type: string, properties: object) => `data: ${JSON.stringify({ id: 'e', type, properties })}`;

describe('what goes between us and the program beside opencode', () => {
  it('ids sort by time, then by number, and are told from those of others', () => {
    const made = [idAt(1_794_868_543_537, 0, 'ffffffff'), idAt(1_794_868_543_537, 1, '00000000')];
    const later = idAt(1_794_868_543_538, 0, '00000000');
    expect([...made, later].sort()).toEqual([...made, later]);
    expect(made[0]).toMatch(/^msg_[0-9a-f]{12}smsmsmffffffff$/);
    expect([made[0], 'msg_1e680821d0019WfVkXAGjK38As'].map((id) => isOurs(id as string))).toEqual([
      true,
      false,
    ]);
  });

  it('what a tool prints is left out, and what nobody reads altogether', () => {
    const state = { status: 'running', metadata: { output: 'x'.repeat(1_000) } };
    const part = { type: 'tool', callID: 't', messageID: 'm', state };
    expect(slimEvent(frame('message.part.updated', { sessionID: 's', part }))).toEqual({
      type: 'message.part.updated',
      properties: {
        sessionID: 's',
        part: { type: 'tool', callID: 't', messageID: 'm', state: { status: 'running' } },
      },
    });
    expect(slimEvent(frame('message.part.delta', { sessionID: 's' }))).toBeNull();
    expect(slimEvent(': a comment')).toBeNull();
  });

  it('of all models, only how large their contexts may be', () => {
    const models = { m: { name: 'M', limit: { context: 100, output: 5 } }, n: { name: 'N' } };
    const body = JSON.stringify({ providers: [{ id: 'p', models }] });
    expect(answerOf(windowsPath, 200, body)).toEqual({ status: 200, body: { 'p/m': 100 } });
    expect(answerOf('/session', 204, '')).toEqual({ status: 204, body: '' });
  });

  it('lives through whatever the server sends', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().map((each) => `data: ${each}`),
        ),
        (said) => {
          expect(() => slimEvent(said)).not.toThrow();
          expect(() => answerOf(windowsPath, 200, said)).not.toThrow();
        },
      ),
    );
  });
});
