namespace MqttCheck.Pipeline.Stores;

/// <summary>
/// The scripts that Redis runs, each atomically. A session has a sorted set of identifiers by score, its last
/// identifier, and a key for each message, which expires by itself.
/// </summary>
internal static class StoreScripts
{
    /// <summary>Keys: set, last identifier. Arguments: limit, lifetime in milliseconds, messages.</summary>
    public const string Add = """
        local last = tonumber(redis.call('GET', KEYS[2]) or '0')
        local top = redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')
        local score = top[2] and tonumber(top[2]) or last
        local given = {}
        for i = 3, #ARGV do
          last = last == 65535 and 1 or last + 1
          score = score + 1
          redis.call('SET', KEYS[1] .. '_' .. last, ARGV[i], 'PX', ARGV[2])
          redis.call('ZADD', KEYS[1], score, last)
          given[#given + 1] = last
          given[#given + 1] = score
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

    /// <summary>Key: set.</summary>
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
        return kept
        """;

    /// <summary>Key: set. Only tests run it.</summary>
    public const string Expire = """
        for _, packetId in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
          redis.call('DEL', KEYS[1] .. '_' .. packetId)
        end
        """;
}
