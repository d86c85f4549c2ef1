using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace MqttCheck.Workers.Tests;

/// <summary>A Redis server of a test, on a free port of loopback, which keeps nothing on disk.</summary>
internal sealed class RedisServer : IDisposable
{
    private const int FirstPort = 22_000,
        PortPairs = 5000,
        PairsOfProcess = 50;

    private static int s_lastPair = PairsOfProcess * Environment.ProcessId;

    private readonly Process _process;

    private RedisServer(Process process, int port) => (_process, Port) = (process, port);

    public int Port { get; }

    public string Address => string.Create(CultureInfo.InvariantCulture, $"redis://127.0.0.1:{Port}");

    /// <summary>Starts one; skips the test where Redis is not installed, and fails in CI.</summary>
    public static async Task<RedisServer> StartAsync()
    {
        Missing.Require("redis-server", "apt-get install redis-server (Debian, Ubuntu), brew install redis (macOS)");
        var port = FreePort();
        var start = new ProcessStartInfo("redis-server") { RedirectStandardOutput = true };
        foreach (
            var word in (string[])
                [
                    "--port",
                    port.ToString(CultureInfo.InvariantCulture),
                    "--bind",
                    "127.0.0.1",
                    "--save",
                    "",
                    "--appendonly",
                    "no",
                    "--loglevel",
                    "warning",
                ]
        )
            start.ArgumentList.Add(word);
        var server = new RedisServer(Process.Start(start)!, port);
        for (var i = 0; i < 500; i++)
        {
            try
            {
                using var client = new TcpClient();
                await client.ConnectAsync(IPAddress.Loopback, port);
                return server;
            }
            catch (SocketException)
            {
                await Task.Delay(20);
            }
        }
        server.Dispose();
        throw new AssertionException("redis-server did not listen within ten seconds");
    }

    /// <summary>A port of loopback that is free, and the next one too.</summary>
    /// <remarks>
    /// Nobody gets a port below 32768 who did not ask for it. Processes that ask at once begin at different ports, and
    /// none is given twice.
    /// </remarks>
    public static int FreePort()
    {
        while (true)
        {
            var pair = (uint)Interlocked.Increment(ref s_lastPair) % PortPairs;
            var port = FirstPort + 2 * (int)pair;
            try
            {
                using var one = new TcpListener(IPAddress.Loopback, port);
                one.Start();
                using var next = new TcpListener(IPAddress.Loopback, port + 1);
                next.Start();
                return port;
            }
            catch (SocketException) { }
        }
    }

    public void Dispose()
    {
        _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
    }
}
