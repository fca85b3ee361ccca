// Shows what the daemon pushes, also while no page is open. It keeps nothing, and answers no request of the page.
self.addEventListener('push', (event) => {
  const { title, body, tag, path } = event.data.json();
  const options = { body, tag, renotify: true, icon: '/icon.svg', data: { path } };
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data.path));
});

/** In a page that is open, or in a new one. */
async function show(path) {
  const [page] = await self.clients.matchAll({ type: 'window' });
  if (!page) return self.clients.openWindow(path);
  await page.focus();
  return page.navigate(path);
}
