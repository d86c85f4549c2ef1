using MqttCheck.LiveClusters.Nodes.Pipeline.Logs;

namespace MqttCheck.Pipeline.Stores;

/// <summary>
/// The scripts that Redis runs, each atomically. A session has a sorted set of identifiers by score, its last
/// identifier, the last offset of each partition of the log, and a key for each message, which expires by itself.
/// </summary>
internal static class StoreScripts
{
    // The answer of a script that writes begins with the server that ran it; a server by itself has no name.
    private const string Self = """
        local function answer(given)
          local self = redis.pcall('CLUSTER', 'MYID')
          return {type(self) == 'table' and '' or self, given}
        end

        """;

    /// <summary>
    /// Keys: set, last identifier, offsets, received identifiers, place. Arguments: limit, lifetime in milliseconds,
    /// whether the session must have a place, messages. Answers with the place, and for each message with its number,
    /// its identifier and its score. A message that was taken before is in the answer only if it is still stored and
    /// its client does not have it.
    /// </summary>
    /// <remarks>
    /// <see cref="RecordCodec"/> writes the place of a message at bytes 12 to 23. Numbers of Lua hold 53 bits and
    /// offsets have more, so they are compared in halves.
    /// </remarks>
    public const string Add =
        Self
        + """
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
                if stored and string.sub(stored, 12, 23) == place
                    and redis.call('SISMEMBER', KEYS[4], all[i]) == 0 then
                  given[#given + 1] = number
                  given[#given + 1] = all[i]
                  given[#given + 1] = all[i + 1]
                end
              end
            end
            local node = redis.call('HGET', KEYS[5], 'node')
            if ARGV[3] == '1' and not node then
              return answer({-1})
            end
            local last = tonumber(redis.call('GET', KEYS[2]) or '0')
            local top = redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')
            local score = top[2] and tonumber(top[2]) or last
            local given = {node or -1}
            for i = 4, #ARGV do
              if isTaken(ARGV[i]) then
                waiting(ARGV[i], i - 4, given)
              else
                last = last == 65535 and 1 or last + 1
                score = score + 1
                redis.call('SET', KEYS[1] .. '_' .. last, ARGV[i], 'PX', ARGV[2])
                redis.call('SREM', KEYS[4], last)
                redis.call('ZADD', KEYS[1], score, last)
                given[#given + 1] = i - 4
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
                redis.call('SREM', KEYS[4], oldest[i])
              end
            end
            return answer(given)
            """;

    /// <summary>Keys: set, received identifiers. Argument: identifier.</summary>
    public const string Receive =
        Self
        + """
            if redis.call('EXISTS', KEYS[1] .. '_' .. ARGV[1]) == 1 then
              redis.call('SADD', KEYS[2], ARGV[1])
            end
            return answer(0)
            """;

    /// <summary>Keys: set, received identifiers. Argument: identifier.</summary>
    public const string Remove = """
        redis.call('DEL', KEYS[1] .. '_' .. ARGV[1])
        redis.call('SREM', KEYS[2], ARGV[1])
        return redis.call('ZREM', KEYS[1], ARGV[1])
        """;

    /// <summary>
    /// Keys: set, offsets, received identifiers. Answers with identifier, score, message and whether it was received
    /// for each message, and with the offsets.
    /// </summary>
    public const string Get = """
        local kept = {}
        local all = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
        for i = 1, #all, 2 do
          local message = redis.call('GET', KEYS[1] .. '_' .. all[i])
          if message then
            kept[#kept + 1] = all[i]
            kept[#kept + 1] = all[i + 1]
            kept[#kept + 1] = message
            kept[#kept + 1] = redis.call('SISMEMBER', KEYS[3], all[i])
          else
            redis.call('ZREM', KEYS[1], all[i])
            redis.call('SREM', KEYS[3], all[i])
          end
        end
        return {kept, redis.call('HGETALL', KEYS[2])}
        """;

    /// <summary>
    /// Key: place. Arguments: node, the number of the change that brought the client there. An earlier change leaves
    /// a later one alone.
    /// </summary>
    public const string Place =
        Self
        + """
            if tonumber(ARGV[2]) >= tonumber(redis.call('HGET', KEYS[1], 'change') or '-1') then
              redis.call('HSET', KEYS[1], 'node', ARGV[1], 'change', ARGV[2])
            end
            return answer(0)
            """;

    /// <summary>Keys: set, last identifier, offsets, received identifiers, place. The session is over.</summary>
    public const string Forget =
        Self
        + """
            for _, packetId in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
              redis.call('DEL', KEYS[1] .. '_' .. packetId)
            end
            redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5])
            return answer(0)
            """;

    /// <summary>Key: set. Only tests run it.</summary>
    public const string Expire = """
        for _, packetId in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
          redis.call('DEL', KEYS[1] .. '_' .. packetId)
        end
        """;
}
