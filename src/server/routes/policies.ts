// Rules for permissions. Whoever may look may see and try them; only the person writes them.
import type { OpenAPIHono } from '@hono/zod-openapi';
import { mayWriteRules } from '../../domain/core/authority.ts';
import { callOf } from '../../domain/policy/call.ts';
import { judge } from '../../domain/policy/judge.ts';
import { asWho } from '../../domain/turns/rulings.ts';
import { actorIn } from '../caller.ts';
import type { Env } from '../env.ts';
import { findRule, ruleFrom, viewsOfRules, writeRule } from '../policies.ts';
import { Refused } from '../refused.ts';
import { find } from '../resolve.ts';
import type { Service } from '../service.ts';
import { describe } from './describe.ts';

export function policyRoutes(app: OpenAPIHono<Env>, service: Service): void {
  const { policies } = service;
  const view = viewsOfRules(service);

  app.openapi(describe('GET /policies'), (c) => c.json({ policies: policies.rules().map(view) }, 200));

  app.openapi(describe('POST /policies'), (c) => {
    const refusal = mayWriteRules(actorIn(c));
    if (refusal) throw new Refused(refusal);
    const { yes, ...said } = c.req.valid('json');
    return c.json(view(writeRule(service, ruleFrom(service, said), yes)), 200);
  });

  app.openapi(describe('DELETE /policies/{id}'), (c) => {
    const refusal = mayWriteRules(actorIn(c));
    if (refusal) throw new Refused(refusal);
    const rule = findRule(service, c.req.valid('param').id);
    const gone = view(rule);
    policies.remove(rule.id);
    return c.json(gone, 200);
  });

  app.openapi(describe('POST /policies/test'), async (c) => {
    const { session: ref, profile, directory, tool, input } = c.req.valid('json');
    const session = ref ? find(service, ref).session : null;
    const who = session ? asWho(session) : { id: '', names: [], profile: profile ?? null };
    const call = await service.placeCall(callOf(tool, input), session?.workingDir ?? directory ?? '/');
    const { decision, rule, also, missed } = judge(policies.rules(), who, call);
    const shown = missed.map((each) => ({ rule: view(each.rule), why: each.why }));
    return c.json({ decision, rule: rule && view(rule), also: also.map(view), missed: shown }, 200);
  });
}
