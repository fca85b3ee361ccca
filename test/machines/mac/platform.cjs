// What Node says on a Mac. The driver of SQLite chooses its native half by that, so it is loaded before.
process.env.npm_config_platform = process.platform;
require('@photostructure/sqlite');
delete process.env.npm_config_platform;
Object.defineProperty(process, 'platform', { value: 'darwin' });
