// A client of mqtt.js: twelve messages on each connection, then a rest. Arguments: PORT 4|5 [clean].
import mqtt from 'mqtt';

const [port, version, clean] = process.argv.slice(2);
const client = mqtt.connect(`mqtt://127.0.0.1:${port}`, {
    protocolVersion: Number(version),
    clientId: 'mqttjs',
    clean: clean === 'clean',
    keepalive: 2,
    reconnectPeriod: 300,
    properties: version === '5' ? { sessionExpiryInterval: clean ? 0 : 1000, receiveMaximum: 10, topicAliasMaximum: 5 } : undefined,
});
let left = 0;
let number = 0;
client.on('connect', () => {
    left = 12;
    client.subscribe('t/#', { qos: 2 }, () => {});
});
client.on('error', () => {});
setInterval(() => {
    if (!client.connected || left === 0) return;
    left--;
    number++;
    client.publish('t/of/the/client', `message ${number}`, { qos: 1 + (number % 2), retain: number % 5 === 0 }, () => {});
}, 30);
