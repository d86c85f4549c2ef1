using System.Diagnostics;
using System.Globalization;
using MqttCheck.Captures.Logs;

namespace MqttCheck.Captures.Tests.Logs;

/// <summary>
/// A large file becomes a log at 100 MB/s and more, in less than 300 MiB. The file has 204 clients and packets of 58 to
/// 215 bytes; it is made in the system's directory for temporary files, and deleted.
/// </summary>
[TestFixture]
[Explicit("three minutes, 3 GB on the disk, and an idle machine")]
internal sealed class LargeCaptureTests : DirectoryFixture
{
    private const int Halls = 4;
    private const int SensorsOfHall = 50;
    private const int LargestPayload = 146;
    private const double LeastMegabytesPerSecond = 100;
    private const int MostMebibytes = 300;

    [TestCase(1_000_000)]
    [TestCase(4_250_000, Description = "2 GiB")]
    [Platform("Linux")]
    public void A_large_capture_is_read_fast_and_in_little_memory(int publications)
    {
        var capture = In("large.pcap");
        using (var file = File.Create(capture))
        using (var made = new EndlessCapture(publications, Halls, SensorsOfHall, LargestPayload))
            made.CopyTo(file, 1 << 20);
        var bytes = new FileInfo(capture).Length;
        ForgetLargestMemory();
        var before = Environment.CpuUsage.TotalTime;
        var watch = Stopwatch.StartNew();

        var summary = CaptureLog.Write(new(capture, In("large.csv"), "1.2.3"));

        var seconds = watch.Elapsed.TotalSeconds;
        TestContext.Out.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{bytes / 1e6:0} MB, {summary.Counts.Frames} packets, {summary.Counts.Exchanges} exchanges: "
                    + $"{seconds:0.0} s, {bytes / 1e6 / seconds:0} MB/s, processor "
                    + $"{(Environment.CpuUsage.TotalTime - before).TotalSeconds:0.0} s, {LargestMebibytes()} MiB"
            )
        );
        Assert.That(summary.Counts.Exchanges, Is.EqualTo(publications + Halls + Halls * (SensorsOfHall + 1)));
        Assert.That(bytes / 1e6 / seconds, Is.GreaterThanOrEqualTo(LeastMegabytesPerSecond));
        Assert.That(LargestMebibytes(), Is.LessThan(MostMebibytes));
    }

    // The test's own process has made the file, which is not to count.
    private static void ForgetLargestMemory()
    {
        GC.Collect();
        File.WriteAllText("/proc/self/clear_refs", "5");
    }

    private static int LargestMebibytes() =>
        int.Parse(
            File.ReadLines("/proc/self/status")
                .First(line => line.StartsWith("VmHWM:", StringComparison.Ordinal))
                .Split(' ', StringSplitOptions.RemoveEmptyEntries)[^2],
            CultureInfo.InvariantCulture
        ) / 1024;
}
