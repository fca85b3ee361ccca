// Shows what the daemon pushes, also while no page is open, and answers where somebody taps on an answer. It answers no
// request of the page.
import { answered, shownFor } from './worker.ts';

// The newest one does the work, for pages that are open already, too.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('push', (event) => event.waitUntil(show(shownFor(event.data.json()))));

self.addEventListener('notificationclick', (event) => {
  const { notification, action } = event;
  notification.close();
  const { data } = notification;
  event.waitUntil(action === '' ? open(data.path) : answered(data, action).then(show));
});

const show = ({ title, options }) => self.registration.showNotification(title, options);

/** In a page that is open, or in a new one. */
async function open(path) {
  const [page] = await self.clients.matchAll({ type: 'window' });
  if (!page) return self.clients.openWindow(path);
  await page.focus();
  return page.navigate(path);
}
