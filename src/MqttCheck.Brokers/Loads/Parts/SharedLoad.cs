using MqttCheck.Brokers.Fleets.Parts;
using MqttCheck.Brokers.Processes;
using MqttCheck.Health;
using MqttCheck.Shards.Parts;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Loads.Parts;

/// <summary>One run of a load whose clients are at several workers.</summary>
internal sealed class SharedLoad(LoadSetup setup, IPartCrew crew, IProgress<LoadProgress>? progress)
{
    private const int NotesInWords = 8;

    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(100),
        s_lead = TimeSpan.FromMilliseconds(400),
        s_pause = TimeSpan.FromMilliseconds(20);

    private readonly Part[] _parts = [.. Enumerable.Range(0, crew.Parts).Select(_ => new Part())];
    private readonly CrewStop _stop = new(crew);

    private sealed class Part
    {
        public LoadPartReport? Report { get; set; }
        public string? Lost { get; set; }
        public bool IsOver => Lost is not null || Report is { End.IsReached: true };
        public bool IsReady => IsOver || Report is { IsReady: true };
    }

    /// <summary>Runs it to its end.</summary>
    /// <exception cref="BrokerException">The clients cannot connect, or the broker refuses them.</exception>
    /// <exception cref="InputException">The broker offers less than the workload needs.</exception>
    public async Task<LoadResult> RunAsync(CancellationToken cancellation, CancellationToken abort)
    {
        await AskUntilAsync(part => part.IsReady, s_pause, cancellation, abort);
        if (!_stop.IsStopped)
            await BeginAsync();
        await AskUntilAsync(part => part.IsOver, s_interval, cancellation, abort);
        // A worker may have failed later for another reason, after all were stopped for one.
        foreach (var report in _parts.Select(part => part.Report))
        {
            if (report?.End.Exception is { } failure)
                throw failure;
        }
        return Conclude(cancellation.IsCancellationRequested);
    }

    private async Task BeginAsync()
    {
        try
        {
            await crew.BeginAsync(await crew.MeasureClocksAsync(), s_lead);
        }
        catch (PartLostException)
        {
            // The next report of the part tells its failure. Parts that wait for a beginning end.
            await _stop.StopAsync();
        }
    }

    private async Task AskUntilAsync(
        Func<Part, bool> isDone,
        TimeSpan pause,
        CancellationToken cancellation,
        CancellationToken abort
    )
    {
        while (true)
        {
            await Task.WhenAll(Enumerable.Range(0, _parts.Length).Where(part => !_parts[part].IsOver).Select(AskAsync));
            Report();
            await _stop.StopIfNeededAsync(
                _parts.Any(part => part is { Lost: not null } or { Report.End.Failure: not null }),
                cancellation,
                abort
            );
            if (_parts.All(isDone))
                return;
            await Task.Delay(pause, CancellationToken.None);
        }
    }

    private async Task AskAsync(int number)
    {
        try
        {
            _parts[number].Report = LoadPartReport.Read(await crew.TakeAsync(number), setup);
        }
        catch (PartLostException lost)
        {
            _parts[number].Lost = lost.Message;
        }
    }

    private void Report()
    {
        var all = _parts
            .Select(part => part.Report)
            .OfType<LoadPartReport>()
            .Select(report => report.Progress)
            .ToList();
        if (all.Count > 0)
            progress?.Report(
                new(
                    all.Min(one => one.Phase),
                    all.Min(one => one.Share),
                    all.Sum(one => one.Connected),
                    all.Sum(one => one.Sent),
                    all.Sum(one => one.Delivered)
                )
            );
    }

    private LoadResult Conclude(bool isCancelled)
    {
        var results = _parts.Select(part => part.Report?.End.Result).OfType<LoadResult>().ToList();
        var (counters, times) = (new LoadCounters(), new LoadTimes());
        foreach (var result in results)
        {
            counters.Add(result.Counters);
            foreach (var (sum, counts) in times.All.Zip(result.Times.All))
                sum.Add(counts);
        }
        var lost = string.Join("; ", _parts.Select(part => part.Lost).OfType<string>());
        return new()
        {
            Workload = setup.Workload,
            Version = setup.Version,
            Transport = BrokerTransport.Tcp,
            Window = results.Select(result => result.Window).DefaultIfEmpty().Max(),
            Counters = counters,
            Times = times,
            Health = Health(results, times, lost.Length > 0 ? lost : null),
            WarmUp = WarmUpOf(results),
            GeneratorProcessor = TimeSpan.FromTicks(results.Sum(result => result.GeneratorProcessor.Ticks)),
            AllocatedBytes = results.Sum(result => result.AllocatedBytes),
            BrokerProcessor = null,
            Interrupted = isCancelled,
            Failure = results.Select(result => result.Failure).FirstOrDefault(failure => failure is not null),
            SessionsLeft =
                results.Sum(result => result.SessionsLeft) + (setup.Workload.PersistentSubscribers ? OfLostParts() : 0),
            Notes = [.. results.SelectMany(result => result.Notes).Distinct().Take(NotesInWords)],
        };
    }

    private int OfLostParts() =>
        Enumerable
            .Range(0, _parts.Length)
            .Where(part => _parts[part].Lost is not null)
            .Sum(part => LoadDivision.Part(setup, part, _parts.Length).Workload.Subscribers);

    private RunHealth Health(List<LoadResult> results, LoadTimes times, string? lost) =>
        PartHealth.Worst(
            new()
            {
                Loop = setup.Workload.IsOpenLoop ? LoadLoop.Open : LoadLoop.Closed,
                LatencyP99Milliseconds = times.Latency.QuantileNanoseconds(.99) / 1e6,
                DelayedAcknowledgementShare = results
                    .Select(result => result.Health.DelayedAcknowledgementShare)
                    .DefaultIfEmpty()
                    .Max(),
                LostWorker = lost,
            },
            [.. results.Select(result => result.Health)]
        );

    // The run is stationary when all its parts are.
    private static WarmUp WarmUpOf(List<LoadResult> results)
    {
        var all = results.Select(result => result.WarmUp).ToList();
        return all.Any(one => one.State == StationarityState.Never) ? new(StationarityState.Never, double.NaN)
            : all.Count == 0 || all.Any(one => one.State == StationarityState.Unknown) ? WarmUp.Unknown
            : all.MaxBy(one => one.SinceSeconds);
    }
}
