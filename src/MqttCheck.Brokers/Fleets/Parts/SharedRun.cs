using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clients;
using MqttCheck.Health;
using MqttCheck.Logs;
using MqttCheck.Shards.Parts;

namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>One run of a fleet whose clients are at several workers.</summary>
internal sealed class SharedRun : IExchangeSink
{
    private const int FailuresInWords = 8;

    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(100),
        s_leastLead = TimeSpan.FromMilliseconds(400),
        s_leadOfClient = TimeSpan.FromMicroseconds(100),
        s_pause = TimeSpan.FromMilliseconds(20);

    private readonly FleetSetup _setup;
    private readonly IPartCrew _crew;
    private readonly IExchangeSink _sink;
    private readonly IProgress<FleetProgress>? _progress;
    private readonly Part[] _parts;
    private readonly MergedLog _log;
    private readonly long[] _byOutcome = new long[Enum.GetValues<ExchangeOutcome>().Length];
    private RunDiagnosis _diagnosis;
    private readonly CrewStop _stop;

    /// <summary>A run that has been prepared.</summary>
    public SharedRun(FleetSetup setup, IPartCrew crew, IExchangeSink sink, IProgress<FleetProgress>? progress)
    {
        (_setup, _crew, _sink, _progress) = (setup, crew, sink, progress);
        _parts = [.. Enumerable.Range(0, crew.Parts).Select(_ => new Part())];
        _log = new(setup, crew.Parts, this);
        _stop = new(crew);
        _diagnosis = new(MonotonicClock.NowNanoseconds, setup.BrokerProcessId);
    }

    private sealed class Part
    {
        public FleetProgress Progress { get; set; }
        public FleetRunResult? Result { get; set; }
        public Exception? Failure { get; set; }
        public string? Lost { get; set; }
        public bool IsOver => Result is not null || Failure is not null || Lost is not null;
    }

    /// <summary>The result of a run that was cancelled before it began.</summary>
    public static FleetRunResult Nothing(FleetSetup setup)
    {
        var now = MonotonicClock.NowNanoseconds;
        return new()
        {
            Run = setup.Run,
            Outcomes = [],
            ExchangesByOutcome = new long[Enum.GetValues<ExchangeOutcome>().Length],
            Publications = 0,
            Deliveries = 0,
            Lost = 0,
            Duplicates = 0,
            Redeliveries = 0,
            Strays = 0,
            Health = new() { Loop = LoadLoop.Closed },
            WarmUp = WarmUp.Unknown,
            StartNanoseconds = now,
            Duration = TimeSpan.Zero,
            Interrupted = true,
            SessionsLeft = 0,
            FirstFailures = [],
        };
    }

    /// <summary>Runs it to its end.</summary>
    /// <exception cref="BrokerException">Nobody can connect, or one client cannot for long.</exception>
    /// <exception cref="InputException">A worker has not enough for so many clients.</exception>
    public async Task<FleetRunResult> RunAsync(CancellationToken cancellation, CancellationToken abort)
    {
        var clocks = new List<IReadOnlyList<PartClock>>();
        long start;
        try
        {
            if (!await AreReadyAsync(cancellation))
                return Nothing(_setup);
            clocks.Add(await _crew.MeasureClocksAsync());
            start = await _crew.BeginAsync(clocks[0], s_leastLead + s_leadOfClient * _setup.Clients / _parts.Length);
        }
        catch (PartLostException lost)
        {
            return Nothing(_setup) with
            {
                Interrupted = false,
                Health = new() { Loop = LoadLoop.Closed, LostWorker = lost.Message },
            };
        }
        _diagnosis = new(MonotonicClock.NowNanoseconds, _setup.BrokerProcessId);
        while (!_parts.All(part => part.IsOver))
        {
            await Task.Delay(s_interval, CancellationToken.None);
            await _stop.StopIfNeededAsync(
                _parts.Any(part => part.Lost is not null || part.Failure is not null),
                cancellation,
                abort
            );
            await Task.WhenAll(Enumerable.Range(0, _parts.Length).Where(part => !_parts[part].IsOver).Select(AskAsync));
            Report();
        }
        _diagnosis.LoadEnded(MonotonicClock.NowNanoseconds);
        if (_parts.Select(part => part.Failure).FirstOrDefault(failure => failure is not null) is { } failed)
            throw failed;
        var lostWorker = await MeasureAgainAsync(clocks);
        return Conclude(start, Bound(clocks), cancellation.IsCancellationRequested, lostWorker);
    }

    /// <inheritdoc/>
    public void Append(in Exchange exchange)
    {
        _byOutcome[(int)exchange.Outcome]++;
        _diagnosis.Ended(exchange);
        _sink.Append(exchange);
    }

    /// <summary>
    /// The largest disagreement of two parts about a time during the run. Clocks were corrected by the offsets measured
    /// before the run; those measured after it show the drift.
    /// </summary>
    internal static long Bound(IReadOnlyList<IReadOnlyList<PartClock>> clocks) =>
        PartClock.LargestDisagreement(
            Enumerable
                .Range(0, clocks[0].Count)
                .Select(part =>
                    clocks[0][part] with
                    {
                        BoundNanoseconds = clocks.Max(measured =>
                            Math.Abs(measured[part].OffsetNanoseconds - clocks[0][part].OffsetNanoseconds)
                            + measured[part].BoundNanoseconds
                        ),
                    }
                )
        );

    // The first run of a worker is preceded by a rehearsal. Returns false if the run was cancelled meanwhile.
    private async Task<bool> AreReadyAsync(CancellationToken cancellation)
    {
        for (var part = 0; part < _parts.Length; )
        {
            if (cancellation.IsCancellationRequested)
                return false;
            var report = PartReport.Read(await _crew.TakeAsync(part));
            if (report.End.Exception is { } failure)
                throw failure;
            if (report.IsReady)
                part++;
            else
                await Task.Delay(s_pause, CancellationToken.None);
        }
        return true;
    }

    // The error of a worker's times is unknown unless its clock is measured again after the run.
    private async Task<string?> MeasureAgainAsync(List<IReadOnlyList<PartClock>> clocks)
    {
        var lost = string.Join("; ", _parts.Select(part => part.Lost).OfType<string>());
        if (lost.Length > 0)
            return lost;
        try
        {
            clocks.Add(await _crew.MeasureClocksAsync());
            return null;
        }
        catch (PartLostException late)
        {
            return late.Message;
        }
    }

    private async Task AskAsync(int number)
    {
        var part = _parts[number];
        PartReport report;
        try
        {
            report = PartReport.Read(await _crew.TakeAsync(number));
        }
        catch (PartLostException lost)
        {
            part.Lost = lost.Message;
            lock (_log)
                _log.End(number);
            return;
        }
        lock (_log)
            _log.Add(number, report);
        part.Progress = report.Progress;
        (part.Failure, part.Result) = (report.End.Exception, report.End.Result);
    }

    private void Report()
    {
        if (_progress is null)
            return;
        var all = _parts.Select(part => part.Progress).ToList();
        _progress.Report(
            new(
                all.Max(one => one.Elapsed),
                all.Sum(one => one.Sent),
                all.Sum(one => one.Completed),
                all.Sum(one => one.Failed),
                all.Sum(one => one.SequencesDone),
                all.Sum(one => one.SequencesNeeded)
            )
        );
    }

    private FleetRunResult Conclude(long start, long boundNanoseconds, bool isCancelled, string? lostWorker)
    {
        var results = _parts.Select(part => part.Result).OfType<FleetRunResult>().ToList();
        var left = _parts
            .Select((part, number) => part.Lost is null ? 0 : new FleetShare(number, _parts.Length).Of(_setup.Clients))
            .Sum();
        return new()
        {
            Run = _setup.Run,
            Outcomes =
            [
                .. results
                    .SelectMany(result => result.Outcomes)
                    .OrderBy(outcome => outcome.IssueIndex)
                    .ThenBy(outcome => outcome.Client)
                    .Select((outcome, index) => outcome with { IssueIndex = index }),
            ],
            ExchangesByOutcome = _byOutcome,
            Publications = results.Sum(result => result.Publications),
            Deliveries = results.Sum(result => result.Deliveries),
            Lost = results.Sum(result => result.Lost),
            Duplicates = results.Sum(result => result.Duplicates),
            Redeliveries = results.Sum(result => result.Redeliveries),
            Strays = results.Sum(result => result.Strays),
            Health = Health([.. results.Select(result => result.Health)]) with
            {
                ClockBoundMilliseconds = _parts.Length > 1 ? boundNanoseconds / 1e6 : double.NaN,
                LostWorker = lostWorker,
            },
            WarmUp = _diagnosis.WarmUp,
            StartNanoseconds = start,
            Duration = results.Count == 0 ? TimeSpan.Zero : results.Max(result => result.Duration),
            Interrupted = isCancelled && results.Any(result => result.Interrupted),
            SessionsLeft = results.Sum(result => result.SessionsLeft) + left,
            FirstFailures = [.. results.SelectMany(result => result.FirstFailures).Take(FailuresInWords)],
        };
    }

    // Latencies are measured for the whole fleet.
    private RunHealth Health(IReadOnlyList<RunHealth> parts)
    {
        var fleet = _diagnosis.Conclude(MonotonicClock.NowNanoseconds);
        return parts.Count == 0
            ? fleet
            : PartHealth.Worst(fleet with { LatencyMedianMilliseconds = _diagnosis.LatencyMedianMilliseconds }, parts);
    }
}
