using System.Diagnostics;
using System.Globalization;

namespace MqttCheck.AcceptanceTests.Workers;

/// <summary>What goes over some ports of loopback, written to a file by tshark.</summary>
internal sealed class Capture : IDisposable
{
    private readonly Process _process;

    private Capture(Process process) => _process = process;

    /// <summary>Starts; skips the test where packets cannot be captured, and fails in CI without tshark.</summary>
    public static async Task<Capture> StartAsync(string file, params int[] ports)
    {
        var filter = string.Join(
            " or ",
            ports.Select(port => string.Create(CultureInfo.InvariantCulture, $"tcp port {port}"))
        );
        var start = new ProcessStartInfo("tshark") { RedirectStandardError = true };
        foreach (var word in (string[])["-l", "-i", "lo", "-f", filter, "-w", file])
            start.ArgumentList.Add(word);
        Process process;
        try
        {
            process = Process.Start(start)!;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            Missing.Report("tshark is not installed; install it: apt-get install tshark (Debian, Ubuntu).");
            throw;
        }
        while (await process.StandardError.ReadLineAsync() is { } line)
        {
            if (!line.Contains("Capturing on", StringComparison.Ordinal))
                continue;
            // The file is there once the capture has begun.
            Assert.That(() => file, Does.Exist.After(10).Seconds.PollEvery(20).MilliSeconds);
            return new(process);
        }
        Assert.Ignore("tshark may not capture packets here; allowed: root, or a member of the group wireshark.");
        throw new UnreachableException();
    }

    /// <summary>Ends, when everything until now is written.</summary>
    public async Task EndAsync()
    {
        using var kill = Process.Start("/bin/kill", ["-INT", _process.Id.ToString(CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync();
        await _process.WaitForExitAsync();
    }

    public void Dispose()
    {
        if (!_process.HasExited)
            _process.Kill();
        _process.Dispose();
    }
}
