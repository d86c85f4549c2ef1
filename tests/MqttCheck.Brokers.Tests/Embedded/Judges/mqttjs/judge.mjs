// Uses a broker as mqtt.js does, over one transport: for each version and QoS a subscriber, a publisher and ten messages. Prints one line for each message that arrives.
// Arguments: URL [CA-FILE]
import fs from 'node:fs';
import mqtt from 'mqtt';

const [url, caFile] = process.argv.slice(2);
const common = { reconnectPeriod: 0, connectTimeout: 10000, ...(caFile ? { ca: fs.readFileSync(caFile) } : {}) };

for (const protocolVersion of [4, 5]) {
    for (const qos of [0, 1, 2]) {
        const options = { ...common, protocolVersion };
        const subscriber = await mqtt.connectAsync(url, options);
        const publisher = await mqtt.connectAsync(url, options);
        const topic = `judge/${protocolVersion}/${qos}`;
        const granted = await subscriber.subscribeAsync(`${topic}/+`, { qos });
        if (granted[0].qos !== qos) throw new Error(`granted ${granted[0].qos} instead of ${qos}`);
        const arrived = new Promise(done => {
            let count = 0;
            subscriber.on('message', (on, payload, packet) => {
                console.log(`${protocolVersion} ${packet.qos} ${on} ${payload}`);
                if (++count === 10) done();
            });
        });
        for (let i = 0; i < 10; i++) await publisher.publishAsync(`${topic}/ä`, `${i}`, { qos });
        await arrived;
        await publisher.endAsync();
        await subscriber.unsubscribeAsync(`${topic}/+`);
        await subscriber.endAsync();
    }
}
