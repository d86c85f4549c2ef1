using MqttCheck.LiveClusters.Nodes.Pipeline.Logs;

namespace MqttCheck.Pipeline.Stores;

/// <summary>
/// The scripts that Redis runs, each atomically. A session has a sorted set of identifiers by score, its last
/// identifier, the last offset of each partition of the log, and a key for each message, which expires by itself.
/// </summary>
internal static class StoreScripts
{
    /// <summary>
    /// Keys: set, last identifier, offsets. Arguments: limit, lifetime in milliseconds, messages. Answers for each
    /// message with its number, its identifier and its score. A message that was taken before is in the answer only if
    /// it is still stored.
    /// </summary>
    /// <remarks>
    /// <see cref="RecordCodec"/> writes the place of a message at bytes 12 to 23. Numbers of Lua hold 53 bits and
    /// offsets have more, so they are compared in halves.
    /// </remarks>
    public const string Add = """
        local function isTaken(message)
          local partition, high, low = struct.unpack('>i4I4I4', message, 12)
          if partition < 0 then
            return false
          end
          local taken = redis.call('HGET', KEYS[3], partition)
          if taken then
            local takenHigh, takenLow = struct.unpack('>I4I4', taken)
            if takenHigh > high or (takenHigh == high and takenLow >= low) then
              return true
            end
          end
          redis.call('HSET', KEYS[3], partition, string.sub(message, 16, 23))
          return false
        end
        local function waiting(message, number, given)
          local place = string.sub(message, 12, 23)
          local all = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
          for i = 1, #all, 2 do
            local stored = redis.call('GET', KEYS[1] .. '_' .. all[i])
            if stored and string.sub(stored, 12, 23) == place then
              given[#given + 1] = number
              given[#given + 1] = all[i]
              given[#given + 1] = all[i + 1]
            end
          end
        end
        local last = tonumber(redis.call('GET', KEYS[2]) or '0')
        local top = redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')
        local score = top[2] and tonumber(top[2]) or last
        local given = {}
        for i = 3, #ARGV do
          if isTaken(ARGV[i]) then
            waiting(ARGV[i], i - 3, given)
          else
            last = last == 65535 and 1 or last + 1
            score = score + 1
            redis.call('SET', KEYS[1] .. '_' .. last, ARGV[i], 'PX', ARGV[2])
            redis.call('ZADD', KEYS[1], score, last)
            given[#given + 1] = i - 3
            given[#given + 1] = last
            given[#given + 1] = score
          end
        end
        redis.call('SET', KEYS[2], last)
        local above = redis.call('ZCARD', KEYS[1]) - tonumber(ARGV[1])
        if above > 0 then
          local oldest = redis.call('ZPOPMIN', KEYS[1], above)
          for i = 1, #oldest, 2 do
            redis.call('DEL', KEYS[1] .. '_' .. oldest[i])
          end
        end
        return given
        """;

    /// <summary>Key: set. Argument: identifier.</summary>
    public const string Remove = """
        redis.call('DEL', KEYS[1] .. '_' .. ARGV[1])
        return redis.call('ZREM', KEYS[1], ARGV[1])
        """;

    /// <summary>Keys: set, offsets. Answers with the messages and with the offsets.</summary>
    public const string Get = """
        local kept = {}
        local all = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
        for i = 1, #all, 2 do
          local message = redis.call('GET', KEYS[1] .. '_' .. all[i])
          if message then
            kept[#kept + 1] = all[i]
            kept[#kept + 1] = all[i + 1]
            kept[#kept + 1] = message
          else
            redis.call('ZREM', KEYS[1], all[i])
          end
        end
        return {kept, redis.call('HGETALL', KEYS[2])}
        """;

    /// <summary>Key: set. Only tests run it.</summary>
    public const string Expire = """
        for _, packetId in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
          redis.call('DEL', KEYS[1] .. '_' .. packetId)
        end
        """;
}
