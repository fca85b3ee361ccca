// The profiles that the configuration has now.

import type { OpenAPIHono } from '@hono/zod-openapi';
import { conflict } from '../../domain/core/refusal.ts';
import type { Env } from '../env.ts';
import { faultOfProfile, profileView } from '../profiles.ts';
import { Refused } from '../refused.ts';
import type { Service } from '../service.ts';
import { describe } from './describe.ts';

export function profileRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('GET /profiles'), async (c) => {
    const all = Object.entries(profilesOf(service));
    const profiles = all.map(async ([name, profile]) => {
      const card = service.provider(profile.agent ?? service.standardProvider);
      return profileView(name, profile, card ? await faultOfProfile(service, profile, card) : null);
    });
    return c.json({ profiles: await Promise.all(profiles) }, 200);
  });
}

function profilesOf({ profiles }: Service) {
  try {
    return profiles();
  } catch (error) {
    throw new Refused(conflict((error as Error).message, { is: 'bad-configuration' }));
  }
}
