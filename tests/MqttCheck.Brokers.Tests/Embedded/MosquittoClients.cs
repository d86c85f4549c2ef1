using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text;
using MqttCheck.Brokers.Embedded;

namespace MqttCheck.Brokers.Tests.Embedded;

/// <summary>mosquitto_pub and mosquitto_sub: clients that nobody here wrote.</summary>
internal static class MosquittoClients
{
    public static void RequireInstalled()
    {
        if (File.Exists("/usr/bin/mosquitto_pub") && File.Exists("/usr/bin/mosquitto_sub"))
            return;
        const string message =
            "mosquitto_pub and mosquitto_sub are missing; on Debian: apt-get install mosquitto-clients";
        if (Environment.GetEnvironmentVariable("CI") == "true")
            Assert.Fail(message);
        else
            Assert.Ignore(message);
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
        var clock = Stopwatch.StartNew();
        while ((await broker.GetCountersAsync()).Subscriptions == before)
        {
            if (process.HasExited)
            {
                // With a retained message it may have all it wants already.
                if (process.ExitCode == 0)
                    break;
                Assert.Fail(
                    "mosquitto_sub ended before it was subscribed: " + await process.StandardError.ReadToEndAsync()
                );
            }
            if (clock.Elapsed > TimeSpan.FromSeconds(10))
                Assert.Fail("mosquitto_sub did not subscribe within 10 s");
            await Task.Delay(2);
        }
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

    public static Task PublishAsync(IPEndPoint broker, string version, int qos, params string[] more) =>
        PublishLinesAsync(broker, version, qos, "", more);

    /// <summary>Publishes each line of a text as one message.</summary>
    public static async Task PublishLinesAsync(
        IPEndPoint broker,
        string version,
        int qos,
        string lines,
        params string[] more
    )
    {
        using var process = Start("mosquitto_pub", broker, version, qos, lines.Length > 0 ? ["-l", .. more] : more);
        await process.StandardInput.WriteAsync(lines);
        process.StandardInput.Close();
        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(10));
        var error = await process.StandardError.ReadToEndAsync(patience.Token);
        await process.WaitForExitAsync(patience.Token);
        Assert.That(process.ExitCode, Is.Zero, error);
    }

    private static Process Start(string program, IPEndPoint broker, string version, int qos, string[] more)
    {
        var start = new ProcessStartInfo(program)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            StandardOutputEncoding = Encoding.UTF8,
        };
        foreach (
            var argument in new[]
            {
                "-h",
                broker.Address.ToString(),
                "-p",
                broker.Port.ToString(CultureInfo.InvariantCulture),
                "-V",
                version,
                "-q",
                qos.ToString(CultureInfo.InvariantCulture),
            }
        )
            start.ArgumentList.Add(argument);
        foreach (var argument in more)
            start.ArgumentList.Add(argument);
        return Process.Start(start)!;
    }
}
