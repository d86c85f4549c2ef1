using MqttCheck.ClusterProtocols.Pipeline;

namespace MqttCheck.Pipeline.Stores;

/// <summary>
/// The rules of <see cref="SessionRegister"/> as scripts. All keys of the register are on one server.
/// </summary>
/// <remarks>
/// Keys: the session of each client identifier, what is known of sessions, the changes, the number of the last session,
/// and how many changes replicas have. A change is a line of six parts. An answer begins with the server that ran the
/// script, and the number of changes.
/// </remarks>
internal static class RegisterScripts
{
    private const string Rules = """
        local function answer(...)
          local self = redis.pcall('CLUSTER', 'MYID')
          return {type(self) == 'table' and '' or self, redis.call('LLEN', KEYS[3]), ...}
        end
        local function add(kind, client, node, persistent, qos, filter)
          redis.call('RPUSH', KEYS[3], table.concat({kind, client, node, persistent, qos, filter}, '|'))
        end
        local function of(client, what)
          return redis.call('HGET', KEYS[2], client .. what)
        end
        local function finish(client)
          redis.call('HDEL', KEYS[1], of(client, 'name'))
          for _, what in ipairs({'name', 'node', 'kept', 'change', 'asked', 'present', 'over'}) do
            redis.call('HDEL', KEYS[2], client .. what)
          end
          add('Ended', client, -1, 0, 0, '')
        end
        local function close(client, change)
          if of(client, 'change') ~= change then
            return false
          end
          redis.call('HSET', KEYS[2], client .. 'node', -1)
          if of(client, 'kept') == '1' then
            return false
          end
          finish(client)
          return true
        end

        """;

    /// <summary>
    /// Arguments: client identifier, node, whether the session is persistent, the name of the request, which may come
    /// twice. Answers with session, whether it was there, the number of the change, and the session that is over by
    /// this.
    /// </summary>
    public const string Open =
        Rules
        + """
            local ended = -1
            local client = redis.call('HGET', KEYS[1], ARGV[1])
            if client and of(client, 'asked') == ARGV[4] then
              return answer(client, of(client, 'present'), of(client, 'change'), of(client, 'over'))
            end
            if client and not (ARGV[3] == '1' and of(client, 'kept') == '1') then
              ended = client
              finish(client)
              client = false
            end
            local isPresent = client and 1 or 0
            if not client then
              client = redis.call('INCR', KEYS[4])
              redis.call('HSET', KEYS[1], ARGV[1], client)
              redis.call('HSET', KEYS[2], client .. 'name', ARGV[1], client .. 'kept', ARGV[3])
            end
            local change = redis.call('LLEN', KEYS[3])
            redis.call('HSET', KEYS[2], client .. 'node', ARGV[2], client .. 'change', change,
              client .. 'asked', ARGV[4], client .. 'present', isPresent, client .. 'over', ended)
            add('Opened', client, ARGV[2], ARGV[3], 0, '')
            return answer(client, isPresent, change, ended)
            """;

    /// <summary>Arguments: session, the change by which its connection began. Answers whether it is over.</summary>
    public const string Close =
        Rules
        + """
            return answer(close(ARGV[1], ARGV[2]) and 1 or 0)
            """;

    /// <summary>
    /// Argument: node. Answers with the sessions that are over since an earlier process of it is gone.
    /// </summary>
    public const string Start =
        Rules
        + """
            local gone = {}
            local known = redis.call('HGETALL', KEYS[2])
            for i = 1, #known, 2 do
              local client = string.match(known[i], '^(%d+)node$')
              if client and known[i + 1] == ARGV[1] and close(client, of(client, 'change')) then
                gone[#gone + 1] = client
              end
            end
            return answer(gone)
            """;

    /// <summary>Arguments: session, kind of change, quality of service, filter.</summary>
    public const string Change =
        Rules
        + """
            if of(ARGV[1], 'name') then
              add(ARGV[2], ARGV[1], -1, 0, ARGV[3], ARGV[4])
            end
            return answer()
            """;

    /// <summary>Argument: how many changes replicas have.</summary>
    public const string Keep = """
        if tonumber(ARGV[1]) > tonumber(redis.call('GET', KEYS[5]) or '0') then
          redis.call('SET', KEYS[5], ARGV[1])
        end
        return 0
        """;

    /// <summary>
    /// Arguments: the number of the first change, how many at most. Answers with those that are kept.
    /// </summary>
    public const string Read = """
        local kept = tonumber(redis.call('GET', KEYS[5]) or '0')
        local first = tonumber(ARGV[1])
        local last = math.min(first + tonumber(ARGV[2]), kept) - 1
        return last >= first and redis.call('LRANGE', KEYS[3], first, last) or {}
        """;
}
