using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using MqttCheck.LiveClusters.Recipes;

namespace MqttCheck.Pipeline.Stores;

/// <summary>A Redis server on loopback, by itself or in a Redis Cluster.</summary>
internal sealed class RedisProcess(string directory, string[] arguments, int port, Process process) : IDisposable
{
    /// <summary>The installation hint.</summary>
    public const string HowToInstall =
        "redis-server is not installed; install it: apt-get install redis-server (Debian, Ubuntu), "
        + "brew install redis (macOS).";

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(20);
    private Process _process = process;

    /// <summary>The port of loopback.</summary>
    public int Port { get; } = port;

    /// <summary>The number of the process.</summary>
    public int Id => _process.Id;

    /// <summary>Host and port.</summary>
    public string Address => string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{Port}");

    /// <summary>Starts a server.</summary>
    /// <param name="isDurable">Whether it has an append-only file that is written before each answer.</param>
    /// <returns>The server; null where the program is not installed.</returns>
    public static async Task<RedisProcess?> StartAsync(bool isDurable)
    {
        var directory = NewDirectory();
        var port = FreePort();
        return await StartAsync(directory, Arguments(directory, isDurable, port), port);
    }

    /// <summary>Starts the servers of a Redis Cluster, which write each change to their files first.</summary>
    /// <param name="count">How many servers.</param>
    /// <param name="replicas">How many replicas each primary has.</param>
    /// <returns>The servers, primaries first; null where the program is not installed.</returns>
    public static async Task<IReadOnlyList<RedisProcess>?> StartClusterAsync(int count, int replicas)
    {
        int[] ports = [.. Enumerable.Range(0, count).Select(_ => FreePort())];
        var servers = new List<RedisProcess>();
        for (var place = 0; place < count; place++)
        {
            var (directory, port) = (NewDirectory(), ports[place]);
            RedisClusterServer.NameAll(directory, place, ports, replicas);
            if (await StartAsync(directory, RedisClusterServer.Arguments(directory, port), port) is not { } server)
                return null;
            servers.Add(server);
        }
        return servers;
    }

    private static async Task<RedisProcess?> StartAsync(string directory, string[] arguments, int port)
    {
        if (Launch(arguments) is not { } process)
        {
            Directory.Delete(directory, recursive: true);
            return null;
        }
        var server = new RedisProcess(directory, arguments, port, process);
        await server.ListensAsync();
        return server;
    }

    /// <summary>Ends the process at once, without a chance to write anything.</summary>
    public void Kill()
    {
        _process.Kill();
        _process.WaitForExit();
    }

    /// <summary>Starts it again on its port with its file.</summary>
    public async Task RestartAsync()
    {
        _process.Dispose();
        _process = Launch(arguments)!;
        await ListensAsync();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Kill();
        _process.Dispose();
        Directory.Delete(directory, recursive: true);
    }

    private static string NewDirectory() => Directory.CreateTempSubdirectory("mqttcheck-redis-").FullName;

    private static string[] Arguments(string directory, bool isDurable, int port) =>
        [
            .. (string[])["--port", port.ToString(CultureInfo.InvariantCulture), "--bind", "127.0.0.1"],
            .. (string[])["--dir", directory, "--save", "", "--loglevel", "warning"],
            .. isDurable ? (string[])["--appendonly", "yes", "--appendfsync", "always"] : ["--appendonly", "no"],
        ];

    private static Process? Launch(string[] arguments)
    {
        var start = new ProcessStartInfo(RedisClusterServer.Program) { RedirectStandardOutput = true };
        foreach (var word in arguments)
            start.ArgumentList.Add(word);
        try
        {
            return Process.Start(start);
        }
        catch (Win32Exception)
        {
            return null;
        }
    }

    // A server that is still loading its file listens already, but answers only when it is done.
    private async Task ListensAsync()
    {
        var watch = Stopwatch.StartNew();
        while (watch.Elapsed < s_patience)
        {
            try
            {
                using var client = new TcpClient();
                await client.ConnectAsync(IPAddress.Loopback, Port);
                await using var stream = client.GetStream();
                await stream.WriteAsync("PING\r\n"u8.ToArray());
                var answer = new byte[5];
                await stream.ReadExactlyAsync(answer);
                if (answer.AsSpan().SequenceEqual("+PONG"u8))
                    return;
            }
            catch (Exception notYet) when (notYet is SocketException or IOException) { }
            await Task.Delay(20);
        }
        throw new TimeoutException($"redis-server on {Address} did not answer within {s_patience.TotalSeconds:0} s.");
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
