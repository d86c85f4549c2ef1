using System.Diagnostics;
using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Protocol;

namespace MqttCheck.Benchmarks.Fleets;

/// <summary>
/// <c>log [EXCHANGES]</c>: how fast exchanges are written (the cost to the thread that appends, and of the whole), and how fast and in how much memory a log is read, whole and
/// exchange by exchange.
/// </summary>
internal static class LogSpeed
{
    private const int Pace = 300_000;

    public static int Run(string[] arguments)
    {
        var count = arguments.Length > 0 ? int.Parse(arguments[0], CultureInfo.InvariantCulture) : 10_000_000;
        var directory = Directory.CreateTempSubdirectory("mqttcheck-log-");
        try
        {
            var path = Path.Combine(directory.FullName, "log.csv");
            // In turns, so that both see the same machine.
            for (var turn = 0; turn < 3; turn++)
            {
                var memory = new Exchange[Pace / 10];
                var at = 0;
                Paced("memory only", (in Exchange exchange) => memory[at++ % memory.Length] = exchange);
                using var writer = new ExchangeLogWriter(Path.Combine(directory.FullName, $"paced-{turn}.csv"));
                Paced("log", writer.Append);
            }
            Write(path, count);
            Read(path, count);
            return 0;
        }
        finally
        {
            directory.Delete(recursive: true);
        }
    }

    private delegate void Appending(in Exchange exchange);

    // Appends as an event loop under load does: in bursts, with time left in between; what an append takes is what a sender is delayed by. What the same copies into memory alone take is the machine's share; a
    // sender that waits for the writer shows as a lock that was contended.
    private static void Paced(string what, Appending append)
    {
        const int seconds = 3, burst = 300;
        var slowest = new long[Pace * seconds / burst];
        var total = 0L;
        var contended = Monitor.LockContentionCount;
        var start = Stopwatch.GetTimestamp();
        for (var turn = 0; turn < slowest.Length; turn++)
        {
            while (Stopwatch.GetElapsedTime(start).TotalSeconds < (double)turn * burst / Pace) Thread.SpinWait(20);
            var before = Stopwatch.GetTimestamp();
            for (var i = 0; i < burst; i++) append(Sample(turn * burst + i));
            slowest[turn] = Stopwatch.GetTimestamp() - before;
            total += slowest[turn];
        }
        Array.Sort(slowest);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"{what}, {Pace} lines/s for {seconds} s: an append takes {total * 1e9 / Stopwatch.Frequency / (Pace * seconds):0} ns; {burst} in a row {slowest[slowest.Length / 2] * 1e6 / Stopwatch.Frequency:0} us (median), {slowest[slowest.Length * 99 / 100] * 1e6 / Stopwatch.Frequency:0} us (99 %), {slowest[^1] * 1e6 / Stopwatch.Frequency:0} us (worst); {Monitor.LockContentionCount - contended} times a lock was contended"));
    }

    private static void Write(string path, int count)
    {
        var (start, cpu) = (Stopwatch.GetTimestamp(), Process.GetCurrentProcess().TotalProcessorTime);
        using (var writer = new ExchangeLogWriter(path))
        {
            for (var i = 0; i < count; i++) writer.Append(Sample(i));
        }
        var (seconds, used) = (Stopwatch.GetElapsedTime(start).TotalSeconds, (Process.GetCurrentProcess().TotalProcessorTime - cpu).TotalSeconds);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"wrote {count} lines, {new FileInfo(path).Length / 1e6:0} MB, in {seconds:0.0} s: {count / seconds / 1e3:0} 000 lines/s, {used * 1e9 / count:0} ns of processor time a line"));
    }

    private static void Read(string path, int count)
    {
        var (start, cpu) = (Stopwatch.GetTimestamp(), Process.GetCurrentProcess().TotalProcessorTime);
        var (lines, sum) = (0L, 0.0);
        var peak = 0L;
        foreach (var exchange in ExchangeLogReader.Stream(path, _ => { }))
        {
            sum += exchange.LatencyMilliseconds;
            if ((++lines & 0xFFFFF) == 0) peak = Math.Max(peak, GC.GetTotalMemory(forceFullCollection: false));
        }
        Report("exchange by exchange", start, cpu, lines, peak);

        (start, cpu) = (Stopwatch.GetTimestamp(), Process.GetCurrentProcess().TotalProcessorTime);
        var log = ExchangeLogReader.Read(path);
        Report("whole", start, cpu, log.Exchanges.Length, GC.GetTotalMemory(forceFullCollection: false));
        if (lines != count || log.Exchanges.Length != count || double.IsNaN(sum)) throw new InvalidOperationException($"{lines} and {log.Exchanges.Length} of {count} lines were read.");
    }

    private static void Report(string how, long start, TimeSpan cpu, long lines, long bytes)
    {
        var (seconds, used) = (Stopwatch.GetElapsedTime(start).TotalSeconds, (Process.GetCurrentProcess().TotalProcessorTime - cpu).TotalSeconds);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"read {lines} lines {how} in {seconds:0.0} s: {used * 1e9 / lines:0} ns of processor time a line, {bytes / 1e6:0} MB"));
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
