// One request per line on standard input: {"version", "hex"}. One answer per line: the packets that mqtt-packet reads in the bytes ("error" if it
// cannot), and the bytes that it writes for them ("refusal" if it does not).
import { createInterface } from 'node:readline'
import mqtt from 'mqtt-packet'

const toJson = (key, value) => (value && value.type === 'Buffer' ? { hex: Buffer.from(value.data).toString('hex') } : value)

for await (const line of createInterface({ input: process.stdin })) {
  const { version, hex } = JSON.parse(line)
  const answer = { packets: [] }
  const parser = mqtt.parser({ protocolVersion: version })
  parser.on('packet', packet => answer.packets.push(packet))
  parser.on('error', error => { answer.error = error.message })
  try {
    parser.parse(Buffer.from(hex, 'hex'))
  } catch (error) {
    answer.error = error.message
  }
  try {
    answer.generated = Buffer.concat(answer.packets.map(packet => mqtt.generate(packet, { protocolVersion: version }))).toString('hex')
  } catch (error) {
    answer.refusal = error.message
  }
  console.log(JSON.stringify(answer, toJson))
}
