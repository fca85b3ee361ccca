// A real Chromium that looks at the page of a real daemon.
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { TestDaemon } from '../support/daemon.ts';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export function openBrowser(more: readonly string[] = []): Promise<Browser> {
  const program = process.env.SM_TEST_CHROMIUM ?? places.find((place) => existsSync(place));
  if (program === undefined)
    throw new Error(
      'These tests need Chromium. Install it (apt-get install chromium), or set SM_TEST_CHROMIUM.',
    );
  return chromium.launch({
    executablePath: program,
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...more],
  });
}

export interface Visit {
  readonly page: Page;
  /** What the page should not do: errors in its log, requests to elsewhere. */
  readonly faults: string[];
  close(): Promise<void>;
}

/** A browser of its own, signed in as `sm open` does it. */
export async function visit(
  browser: Browser,
  daemon: TestDaemon,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    // A daemon that is away is no fault of the page, and a browser says so of every request.
    if (message.type() === 'error' && !/ERR_|Failed to load resource/.test(message.text()))
      faults.push(message.text());
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin(daemon)) faults.push(`asked for ${request.url()}`);
  });
  await page.goto(await freshLink(daemon));
  await page.locator('.home').waitFor();
  return { page, faults, close: () => context.close() };
}

export const origin = ({ port }: TestDaemon): string => `http://127.0.0.1:${port}`;

export async function freshLink(daemon: TestDaemon): Promise<string> {
  const { stdout, stderr } = await daemon.sm('open', '--print');
  if (!stdout.startsWith('http')) throw new Error(`sm open printed no address: ${stdout}${stderr}`);
  return stdout.trim();
}
