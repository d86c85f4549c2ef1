using System.Collections.Concurrent;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Brokers.Wire;
using MqttCheck.Captures.Logs;
using MqttCheck.Health;
using MqttCheck.Logs;
using static System.FormattableString;

namespace MqttCheck.Captures.Replay;

/// <summary>
/// Sends the traffic of a capture to a broker. The capture is read twice: for its clients and the sessions that stood,
/// then step by step while it is sent, so that memory does not grow with its length.
/// </summary>
internal static class CaptureReplay
{
    // The capture is read so far ahead of what is sent.
    private const int Ahead = 10_000;

    /// <summary>Sends a capture.</summary>
    /// <param name="setup">What is wanted.</param>
    /// <param name="survey">The first reading of the capture.</param>
    /// <param name="sink">Takes the exchanges, on the run's thread.</param>
    /// <param name="progress">Is told the share that is done, 0 .. 1, and the number of messages.</param>
    /// <param name="cancellation">Ends it in order.</param>
    /// <param name="abort">Ends it at once.</param>
    /// <exception cref="InputException">The capture cannot be read, or the system has too few descriptors.</exception>
    /// <exception cref="WireException">The system refuses descriptors.</exception>
    public static ReplayResult Run(
        ReplaySetup setup,
        ReplaySurvey survey,
        IExchangeSink sink,
        Action<double, long> progress,
        CancellationToken cancellation,
        CancellationToken abort
    )
    {
        var share = new ReplayShare(survey.Names.Clients.Keys, setup.Share, setup.Seed);
        SystemLimits.Require(share.Count);
        Rehearsal.Once(ClientKind.Own);
        using var steps = new BlockingCollection<ReplayStep>(Ahead);
        using var stop = new CancellationTokenSource();
        var leftOut = new ReplayLeftOut();
        var reading = new ReplaySteps(survey, setup, share, leftOut, step => steps.Add(step, stop.Token));
        var reader = Task.Factory.StartNew(
            () => Read(setup.Capture, reading, steps),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );
        try
        {
            return LoopThread.Run(
                "replay",
                () => WireFactory.Create(new WireOptions { IsPunctual = WireFactory.IsEpollSupported }),
                wire => new ReplayRun(
                    wire,
                    setup,
                    reading.Joined,
                    steps,
                    sink,
                    leftOut,
                    (nanoseconds, sent) => progress(Math.Min(1, nanoseconds / 1e9 / survey.Duration.TotalSeconds), sent)
                ),
                _ => { },
                run => Conclude(run, survey, share, leftOut),
                cancellation,
                abort
            );
        }
        finally
        {
            stop.Cancel();
            reader.Wait(CancellationToken.None);
        }
    }

    // Reads ahead, and waits while enough is read.
    private static void Read(CaptureRequest capture, ReplaySteps reading, BlockingCollection<ReplayStep> steps)
    {
        try
        {
            CapturePackets.Read(capture, reading, zero => reading.Zero = zero, new CaptureCounts(), out _);
        }
        catch (OperationCanceledException)
        {
            // The run ended before the capture.
        }
        finally
        {
            steps.CompleteAdding();
        }
    }

    private static ReplayResult Conclude(ReplayRun run, ReplaySurvey survey, ReplayShare share, ReplayLeftOut leftOut)
    {
        var joined = survey.Joined.Count(one => share.Has(one.Name));
        return new()
        {
            Clients = share.Count,
            LoggedClients = Math.Max(1, run.Book.Names.Clients.Count),
            Duration = run.Duration,
            Publications = run.Publications,
            Deliveries = run.Deliveries,
            Health = run.Diagnosis.Conclude(run.EndNanoseconds) with { Loop = LoadLoop.Open },
            WarmUp = run.Diagnosis.WarmUp,
            Sessions = BookedLog.SessionsOf(run.Book.Names),
            IsInterrupted = run.IsInterrupted,
            SessionsLeft = run.SessionsLeft,
            Notes =
            [
                .. joined > 0
                    ?
                    [
                        Invariant($"joined: {joined} connections stood when the capture began; they subscribe to the ")
                            + "topics that were delivered to them",
                    ]
                    : (string[])[],
                .. leftOut.All.Select(one => Invariant($"left out: {one.Count} {one.What}")),
                .. survey.Counts.NotUsed.Select(one => Invariant($"not used of the capture: {one.Count} {one.What}")),
                .. survey.Damage is { } damage ? [$"the capture was read up to its damage: {damage}"] : (string[])[],
                .. run.Failures,
            ],
        };
    }
}
