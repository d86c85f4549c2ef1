using System.Diagnostics;
using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Protocol;

namespace MqttCheck.Benchmarks.Fleets;

/// <summary>
/// <c>log [EXCHANGES]</c>: what appending to a log costs the thread that does it, how fast 10 million exchanges (or so
/// many) are written, and how fast and in how much memory they are read: exchange by exchange, each time in a process
/// of its own, whose peak of memory is its own; and whole. The exit code is 1 when one of the limits is not kept.
/// </summary>
internal static class LogSpeed
{
    private const int Pace = 300_000;
    private const int Burst = 300;
    private const int Turns = 3;

    // Bursts come every millisecond: a sender that the log takes a tenth of it from is not slowed.
    private const double MostBurstMicroseconds = 100;
    private const double MostReadSecondsPerMillion = 2;
    private const double MostReadMebibytes = 200;

    // Memory that does not depend on the length of the log, but for what the collector happens to leave.
    private const double MostGrowth = 1.25;

    public static int Run(string[] arguments)
    {
        var count = arguments.Length > 0 ? int.Parse(arguments[0], CultureInfo.InvariantCulture) : 10_000_000;
        if (count < 10)
            throw new ArgumentException($"EXCHANGES: {count} given; allowed: 10 or more.");
        var directory = Directory.CreateTempSubdirectory("mqttcheck-log-");
        try
        {
            var figures = new LimitedFigures();
            var added = Appending(directory.FullName);
            figures.AtMost(
                $"{Burst} appends in a row at {Pace} lines/s, log minus memory alone, p99",
                added,
                MostBurstMicroseconds,
                "us"
            );
            var (tenth, all) = (
                Path.Combine(directory.FullName, "tenth.csv"),
                Path.Combine(directory.FullName, "log.csv")
            );
            Write(tenth, count / 10);
            figures.AtLeast("lines written per second", Write(all, count), Pace, "");
            var small = ReadInChild(tenth, count / 10);
            var large = ReadInChild(all, count);
            figures.AtMost(
                $"reading {count} lines exchange by exchange",
                large.Seconds,
                MostReadSecondsPerMillion * count / 1e6,
                "s"
            );
            figures.AtMost("memory while reading it", large.PeakBytes / 1048576.0, MostReadMebibytes, "MiB");
            figures.AtMost(
                "memory, to that while reading a tenth of it",
                large.PeakBytes / (double)small.PeakBytes,
                MostGrowth,
                ""
            );
            ReadWhole(all, count);
            return figures.Conclude();
        }
        finally
        {
            directory.Delete(recursive: true);
        }
    }

    /// <summary>
    /// The command <c>log-read LOG</c>: reads a log exchange by exchange, and prints lines, seconds and the peak of its
    /// own resident memory in bytes.
    /// </summary>
    public static int Read(string[] arguments)
    {
        var start = Stopwatch.GetTimestamp();
        var (lines, sum) = (0L, 0.0);
        foreach (var exchange in ExchangeLogReader.Stream(arguments[0], Console.Error.WriteLine))
        {
            sum += exchange.LatencyMilliseconds;
            lines++;
        }
        var seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        using var process = Process.GetCurrentProcess();
        Console.WriteLine(
            string.Create(CultureInfo.InvariantCulture, $"{lines} {seconds:0.000} {process.PeakWorkingSet64}")
        );
        return double.IsNaN(sum) ? 1 : 0;
    }

    private delegate void Append(in Exchange exchange);

    // In turns, so that both see the same machine; the median of what the log adds.
    private static double Appending(string directory)
    {
        var added = new double[Turns];
        for (var turn = 0; turn < Turns; turn++)
        {
            var memory = new Exchange[Pace / 10];
            var at = 0;
            var alone = Paced("memory only", (in Exchange exchange) => memory[at++ % memory.Length] = exchange);
            using var writer = new ExchangeLogWriter(Path.Combine(directory, $"paced-{turn}.csv"));
            added[turn] = Paced("log", writer.Append) - alone;
        }
        return added.Order().ElementAt(Turns / 2);
    }

    // Appends as an event loop under load does: in bursts, with time left in between; what an append takes is what a
    // sender is delayed by. What the same copies into memory alone take is the machine's share; a sender that waits for
    // the writer shows as a lock that was contended. Returns the 99th percentile of a burst in microseconds.
    private static double Paced(string what, Append append)
    {
        const int seconds = 3;
        var slowest = new long[Pace * seconds / Burst];
        var total = 0L;
        var contended = Monitor.LockContentionCount;
        var start = Stopwatch.GetTimestamp();
        for (var turn = 0; turn < slowest.Length; turn++)
        {
            while (Stopwatch.GetElapsedTime(start).TotalSeconds < (double)turn * Burst / Pace)
                Thread.SpinWait(20);
            var before = Stopwatch.GetTimestamp();
            for (var i = 0; i < Burst; i++)
                append(Sample(turn * Burst + i));
            slowest[turn] = Stopwatch.GetTimestamp() - before;
            total += slowest[turn];
        }
        Array.Sort(slowest);
        var p99 = slowest[slowest.Length * 99 / 100] * 1e6 / Stopwatch.Frequency;
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{what}, {Pace} lines/s for {seconds} s: an append takes "
                    + $"{total * 1e9 / Stopwatch.Frequency / (Pace * seconds):0} ns; {Burst} in a "
                    + $"row {slowest[slowest.Length / 2] * 1e6 / Stopwatch.Frequency:0} us (median), "
                    + $"{p99:0} us (99 %), {slowest[^1] * 1e6 / Stopwatch.Frequency:0} us (worst); "
                    + $"{Monitor.LockContentionCount - contended} times a lock was contended"
            )
        );
        return p99;
    }

    private static double Write(string path, int count)
    {
        var (start, cpu) = (Stopwatch.GetTimestamp(), Environment.CpuUsage.TotalTime);
        using (var writer = new ExchangeLogWriter(path))
        {
            for (var i = 0; i < count; i++)
                writer.Append(Sample(i));
        }
        var (seconds, used) = (
            Stopwatch.GetElapsedTime(start).TotalSeconds,
            (Environment.CpuUsage.TotalTime - cpu).TotalSeconds
        );
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"wrote {count} lines, {new FileInfo(path).Length / 1e6:0} MB, in {seconds:0.0} s: "
                    + $"{count / seconds / 1e3:0} 000 lines/s, {used * 1e9 / count:0} ns of processor time a line"
            )
        );
        return count / seconds;
    }

    private static (double Seconds, long PeakBytes) ReadInChild(string path, int count)
    {
        var program = Environment.ProcessPath!;
        var isHost = Path.GetFileNameWithoutExtension(program) == "dotnet";
        string[] arguments =
        [
            .. isHost ? ["exec", typeof(LogSpeed).Assembly.Location] : (string[])[],
            "log-read",
            path,
        ];
        using var child = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true })!;
        var words = child.StandardOutput.ReadToEnd().Split(' ', StringSplitOptions.TrimEntries);
        child.WaitForExit();
        if (child.ExitCode != 0 || words.Length != 3 || long.Parse(words[0], CultureInfo.InvariantCulture) != count)
            throw new InvalidOperationException(
                $"Reading {count} lines ended with {child.ExitCode}: {string.Join(' ', words)}"
            );
        var (seconds, peak) = (
            double.Parse(words[1], CultureInfo.InvariantCulture),
            long.Parse(words[2], CultureInfo.InvariantCulture)
        );
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"read {count} lines exchange by exchange in {seconds:0.0} s: at most {peak / 1048576.0:0} MiB resident"
            )
        );
        return (seconds, peak);
    }

    private static void ReadWhole(string path, int count)
    {
        var start = Stopwatch.GetTimestamp();
        var log = ExchangeLogReader.Read(path);
        var seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        if (log.Exchanges.Length != count)
            throw new InvalidOperationException($"{log.Exchanges.Length} of {count} lines were read.");
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"read {count} lines whole in {seconds:0.0} s: "
                    + $"{GC.GetTotalMemory(forceFullCollection: false) / 1048576.0:0} MiB"
            )
        );
    }

    private static Exchange Sample(int i)
    {
        // Nanoseconds, as the clock counts them.
        var sent = (i * 3210L + i % 7 * 137) / 1e3;
        return new()
        {
            Message = MessageKind.Publish,
            ActiveMessages = 1 + i % 100,
            TotalSubscriptions = 100 + i % 900,
            TopicSize = 27,
            MessageSize = 12 + i % 69,
            Subscribers = i % 5,
            Receivers = i % 5,
            LatencyMilliseconds = (123_456 + i % 1000 * 1017) / 1e6,
            Run = 0,
            Client = i % 100,
            Sequence = i / 1000,
            IssueIndex = i,
            IntendedMicroseconds = (i * 3210L + i % 7 * 137 - 31_500) / 1e3,
            SentMicroseconds = sent,
            SendBoundMicroseconds = 4.5,
            AcknowledgedMicroseconds = (i * 3210L + i % 7 * 137 + 123_456) / 1e3,
            LastDeliveryMicroseconds = (i * 3210L + i % 7 * 137 + 150_250) / 1e3,
            EndMicroseconds = (i * 3210L + i % 7 * 137 + 150_250) / 1e3,
            Qos = QualityOfService.AtLeastOnce,
            Topic = i % 100,
            Phase = ExchangePhase.Counted,
            Outcome = ExchangeOutcome.Success,
        };
    }
}
