using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Tests.Processes;

namespace MqttCheck.Brokers.Tests.Embedded;

/// <summary>mosquitto_pub and mosquitto_sub: clients that nobody here wrote.</summary>
internal static class MosquittoClients
{
    /// <summary>Ignores the test where the two are not installed.</summary>
    public static void RequireInstalled()
    {
        Installed.Require("mosquitto_pub");
        Installed.Require("mosquitto_sub");
    }

    /// <summary>Starts a subscriber and waits until it is subscribed.</summary>
    public static async Task<Process> SubscribeAsync(
        EmbeddedBroker broker,
        string version,
        int qos,
        params string[] more
    )
    {
        // It prints nothing that says so before it ends: its output is a pipe, which it fills before it writes.
        var before = (await broker.GetCountersAsync()).Subscriptions;
        var process = Start("mosquitto_sub", broker.Address, version, qos, more);
        Assert.That(
            () => broker.GetCountersAsync().GetAwaiter().GetResult().Subscriptions,
            Is.GreaterThan(before).After(10_000, 2),
            "mosquitto_sub subscribes"
        );
        return process;
    }

    /// <summary>The lines a subscriber prints until it ends by itself (-C).</summary>
    public static async Task<string[]> ReadMessagesAsync(Process process)
    {
        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(10));
        try
        {
            var output = await process.StandardOutput.ReadToEndAsync(patience.Token);
            await process.WaitForExitAsync(patience.Token);
            return output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        }
        finally
        {
            if (!process.HasExited)
                process.Kill();
        }
    }

    /// <summary>Publishes one message with mosquitto_pub and waits until it has.</summary>
    public static async Task PublishAsync(IPEndPoint broker, string version, int qos, params string[] more)
    {
        using var process = Start("mosquitto_pub", broker, version, qos, more);
        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(10));
        var error = await process.StandardError.ReadToEndAsync(patience.Token);
        await process.WaitForExitAsync(patience.Token);
        Assert.That(process.ExitCode, Is.Zero, error);
    }

    private static Process Start(string program, IPEndPoint broker, string version, int qos, string[] more)
    {
        string[] arguments =
        [
            "-h",
            $"{broker.Address}",
            "-p",
            $"{broker.Port}",
            "-V",
            version,
            "-q",
            $"{qos}",
            .. more,
        ];
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            StandardOutputEncoding = Encoding.UTF8,
        };
        return Process.Start(start)!;
    }
}
