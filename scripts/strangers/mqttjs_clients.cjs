// Runs groups of clients with mqtt.js: BROKER_PORT SECONDS GROUPS(JSON). Prints what each group did, as JSON.
const mqtt = require('mqtt')
const [port, seconds, groups] = [process.argv[2], Number(process.argv[3]), JSON.parse(process.argv[4])]
const end = performance.now() + seconds * 1000
const done = Object.fromEntries(groups.map(group => [group.name, { intervals: [], sizes: [], absences: [] }]))
const sleep = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds))
const named = (text, name) => text.replace('{}', name)
const wait = group => (group.random ? -Math.log(1 - Math.random()) * group.every : group.every)

async function connected(group, name) {
  const will = group.birth && { topic: named(group.birth, name), payload: 'gone', qos: 1, retain: true }
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, {
    clientId: name,
    clean: group.clean ?? true,
    keepalive: group.keepAlive ?? 60,
    will,
  })
  if (group.answer)
    client.on('message', topic => client.publish(named(group.answer, topic.split('/').at(-1)), 'r'.repeat(30)))
  if (group.birth) await client.publishAsync(named(group.birth, name), 'b'.repeat(12), { qos: 1, retain: true })
  for (const filter of group.filters ?? [])
    await client.subscribeAsync(named(filter, name), { qos: group.subscribeQos ?? 0 })
  return client
}

async function run(group, number) {
  const name = `${group.name}-${String(number).padStart(3, '0')}`
  await sleep(Math.random() * 500)
  let client = await connected(group, name)
  let latest = null
  await sleep(200 + (group.topic ? wait(group) * Math.random() : 0))
  while (performance.now() < end) {
    if (!group.topic) {
      await sleep(100)
      continue
    }
    const now = performance.now()
    const [least, most] = group.bytes
    const size = least + Math.floor(Math.random() * (most - least + 1))
    const options = { qos: group.qos, retain: group.retain ?? false }
    await client.publishAsync(named(group.topic, name), 'x'.repeat(size), options)
    if (latest !== null) done[group.name].intervals.push((now - latest) / 1000)
    done[group.name].sizes.push(size)
    latest = now
    if (group.away) {
      const gone = performance.now()
      await client.endAsync()
      latest = null
      await sleep(group.away)
      done[group.name].absences.push((performance.now() - gone) / 1000)
      if (performance.now() < end) client = await connected(group, name)
      continue
    }
    await sleep(Math.max(0, now + wait(group) - performance.now()))
  }
  if (!group.away) await client.endAsync()
}

Promise.all(groups.flatMap(group => Array.from({ length: group.clients }, (_, i) => run(group, i)))).then(() => {
  console.log(JSON.stringify(done))
  process.exit(0)
})
