using System.Globalization;

namespace MqttCheck.LiveClusters.Recipes;

/// <summary>
/// A server of a Redis Cluster on loopback. Each server begins with a file that names all of them, so that nobody has
/// to join them.
/// </summary>
internal static class RedisClusterServer
{
    /// <summary>The program.</summary>
    public const string Program = "redis-server";

    /// <summary>The installation hint.</summary>
    public const string HowToInstall = "Install it: apt-get install redis-server (Debian, Ubuntu).";

    private const string NodesFile = "nodes.conf";
    private const int Slots = 16_384;

    // The system gives ports above this one to who asks for any.
    private const int FirstFree = 32_768;
    private const int LowestBus = 2_000;

    /// <summary>The arguments of a server that writes each change to its disk before it answers.</summary>
    /// <param name="directory">Its directory.</param>
    /// <param name="port">The port of clients.</param>
    public static string[] Arguments(string directory, int port) =>
        [
            .. (string[])["--port", Text(port), "--bind", "127.0.0.1", "--dir", directory, "--loglevel", "warning"],
            .. (string[])["--save", "", "--appendonly", "yes", "--appendfsync", "always"],
            .. (string[])["--cluster-enabled", "yes", "--cluster-config-file", NodesFile],
            .. (string[])["--cluster-port", Text(BusPort(port)), "--cluster-node-timeout", "2000"],
            // A replica is of use only when it has caught up, and so begins at once.
            .. (string[])["--repl-diskless-sync-delay", "0"],
        ];

    /// <summary>Names all servers in a file of one of them, unless it has run before.</summary>
    /// <param name="directory">The directory of the server.</param>
    /// <param name="self">Its place among the servers.</param>
    /// <param name="ports">The ports of all servers; primaries come first.</param>
    /// <param name="replicas">How many replicas each primary has.</param>
    public static void NameAll(string directory, int self, IReadOnlyList<int> ports, int replicas)
    {
        var path = Path.Combine(directory, NodesFile);
        if (File.Exists(path))
            return;
        var primaries = ports.Count / (1 + replicas);
        var lines = ports.Select((port, place) => Line(port, place, place == self, primaries));
        File.WriteAllText(
            path,
            string.Concat(lines) + FormattableString.Invariant($"vars currentEpoch {primaries} lastVoteEpoch 0\n")
        );
    }

    // Identifier, address, flags, primary, ping sent, pong received, epoch, state, slots.
    private static string Line(int port, int place, bool isSelf, int primaries)
    {
        var primary = place % primaries;
        var role = place == primary ? "master -" : $"slave {Identifier(primary)}";
        var slots =
            place == primary
                ? FormattableString.Invariant($" {Slots * place / primaries}-{(Slots * (place + 1) / primaries) - 1}")
                : "";
        return FormattableString.Invariant(
                $"{Identifier(place)} 127.0.0.1:{port}@{BusPort(port)},, {(isSelf ? "myself," : "")}{role} "
            ) + FormattableString.Invariant($"0 0 {primary + 1} connected{slots}\n");
    }

    private static string Identifier(int place) => (place + 1).ToString("x40", CultureInfo.InvariantCulture);

    // Ports of clients are free ones of the system. Those of servers among each other lie where it gives none.
    private static int BusPort(int port) => port >= FirstFree ? port - FirstFree + LowestBus : port + 10_000;

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
