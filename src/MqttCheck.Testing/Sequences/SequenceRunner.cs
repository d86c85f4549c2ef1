using System.Collections.Concurrent;
using System.Diagnostics;
using MqttCheck.Health;
using MqttCheck.Logs;
using MqttCheck.Statistics;

namespace MqttCheck.Testing.Sequences;

/// <summary>
/// Makes one run: sets the clients up, lets each of them run its sequences, and disposes of what was set up. Clients
/// whose counted sequences are done go on until all are, so that the last ones meet the same load as the first.
/// </summary>
internal sealed class SequenceRunner : IDisposable
{
    // Many brokers refuse clients that connect all at once.
    private const int LargestSetUps = 50;

    private static readonly TimeSpan s_shortest = TimeSpan.FromMilliseconds(1);

    private readonly SequenceAction _action;
    private readonly SequenceOptions _options;
    private readonly int _clients,
        _run,
        _warmUps,
        _counted;
    private readonly ulong _seed;
    private readonly TimeSpan _stagger;
    private readonly Func<Func<Task>, Task> _call;
    private readonly CancellationTokenSource _stop;
    private readonly ConcurrentQueue<MeasuredSequence> _sequences = [];
    private readonly ConcurrentQueue<string> _remarks = [];
    private long _loadBegan;
    private long _issued;
    private int _unfinished,
        _stuck;
    private SequenceException? _failure;

    /// <param name="action">The action of the clients.</param>
    /// <param name="options">How they are run.</param>
    /// <param name="clients">How many clients.</param>
    /// <param name="seed">The seed of the measurement.</param>
    /// <param name="run">The number of the run; -1 for the rehearsal.</param>
    /// <param name="counted">How many sequences of each client count.</param>
    /// <param name="stagger">The time over which the clients begin.</param>
    /// <param name="call">Calls code of the user.</param>
    /// <param name="cancellation">Ends the run.</param>
    public SequenceRunner(
        SequenceAction action,
        SequenceOptions options,
        int clients,
        ulong seed,
        int run,
        int counted,
        TimeSpan stagger,
        Func<Func<Task>, Task> call,
        CancellationToken cancellation
    )
    {
        (_action, _options, _clients, _seed, _run, _counted, _stagger, _call) = (
            action,
            options,
            clients,
            seed,
            run,
            counted,
            stagger,
            call
        );
        // The rehearsal only tells how long a sequence takes.
        _warmUps = run < 0 ? 0 : 1;
        _unfinished = clients;
        _stop = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
    }

    /// <summary>How long it took until all clients were set up.</summary>
    public TimeSpan SetUpTime { get; private set; }

    public void Dispose() => _stop.Dispose();

    /// <summary>
    /// Makes the run. Nothing of it runs any more when it ends, but for actions that ignore their token, which are
    /// counted in the message.
    /// </summary>
    /// <exception cref="SequenceException">A client could not be set up, or an action does not end.</exception>
    /// <exception cref="OperationCanceledException">The run was cancelled.</exception>
    public async Task<SequenceRun> RunAsync(CancellationToken cancellation)
    {
        var states = new object?[_clients];
        var began = Stopwatch.GetTimestamp();
        try
        {
            await SetUpAsync(states);
            SetUpTime = Stopwatch.GetElapsedTime(began);
            began = _loadBegan = Stopwatch.GetTimestamp();
            var processor = Environment.CpuUsage.TotalTime;
            if (_failure is null)
                await Task.WhenAll(
                    Enumerable.Range(0, _clients).Select(client => Task.Run(() => ClientAsync(client, states[client])))
                );
            var share =
                (Environment.CpuUsage.TotalTime - processor)
                / (Stopwatch.GetElapsedTime(began) * Environment.ProcessorCount);
            if (_failure is null && !_stop.IsCancellationRequested)
                return new(_sequences, Health(share), WarmUp(), [.. _remarks]);
        }
        finally
        {
            await Task.WhenAll(states.Select(DisposeAsync));
        }
        var ignored =
            _stuck == 0
                ? ""
                : FormattableString.Invariant($" {_stuck} ")
                    + FormattableString.Invariant($"{(_stuck == 1 ? "action ignores its" : "actions ignore their")} ")
                    + FormattableString.Invariant($"token and still {(_stuck == 1 ? "runs" : "run")}.");
        if (cancellation.IsCancellationRequested)
            throw new OperationCanceledException(
                FormattableString.Invariant($"The measurement was cancelled in run {_run + 1}, after ")
                    + FormattableString.Invariant($"{_sequences.Count} of its sequences.{ignored}"),
                cancellation
            );
        throw _failure!;
    }

    private async Task SetUpAsync(object?[] states)
    {
        using var turns = new SemaphoreSlim(LargestSetUps);
        await Task.WhenAll(
            Enumerable
                .Range(0, _clients)
                .Select(number =>
                    Task.Run(async () =>
                    {
                        await turns.WaitAsync();
                        try
                        {
                            if (_stop.IsCancellationRequested)
                                return;
                            await SetUpAsync(number, states);
                        }
                        finally
                        {
                            turns.Release();
                        }
                    })
                )
        );
    }

    private async Task SetUpAsync(int number, object?[] states)
    {
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(_stop.Token);
        ending.CancelAfter(_options.Timeout);
        var task = Task.Run(() => MakeStateAsync(number, ending.Token));
        var isOver = await EndAsync(task, ending.Token);
        if (isOver && task.IsCompletedSuccessfully)
        {
            states[number] = task.Result;
            return;
        }
        if (!isOver)
            Interlocked.Increment(ref _stuck);
        var why =
            isOver && !ending.IsCancellationRequested
                ? Describe(Cause(task.Exception))
                : FormattableString.Invariant($"it did not end within {_options.Timeout.TotalSeconds:0.###} s");
        Fail(
            new(
                FormattableString.Invariant($"sequences: client {number} could not be set up in ")
                    + FormattableString.Invariant($"{RunName}: {why}. A set-up must succeed; what may fail ")
                    + "belongs into the sequence, where it counts as a miss.",
                Cause(task.Exception) ?? new TimeoutException()
            )
        );
    }

    private async Task ClientAsync(int number, object? state)
    {
        var random = SeedPurpose.Pause.Stream(_seed, (ulong)(_run + 1), (ulong)number);
        await PauseAsync(_stagger * random.NextDouble());
        for (var sequence = 0; !_stop.IsCancellationRequested; sequence++)
        {
            var isDone = sequence >= _warmUps + _counted;
            if (sequence == _warmUps + _counted)
                Interlocked.Decrement(ref _unfinished);
            if (isDone && Volatile.Read(ref _unfinished) == 0)
                return;
            var began = Stopwatch.GetTimestamp();
            if (!await SequenceAsync(number, sequence, state))
                return;
            // An action that takes no time is no load; repeating it at once would only take the processors from the
            // others.
            if (isDone && Stopwatch.GetElapsedTime(began) is var took && took < s_shortest)
                await PauseAsync(s_shortest);
            if (_options.PauseMilliseconds is { } pause)
                await PauseAsync(TimeSpan.FromMilliseconds(pause.Draw(ref random)));
        }
    }

    private async Task<bool> SequenceAsync(int number, int sequence, object? state)
    {
        var client = new SequenceClient(_seed, _run, number, sequence);
        var (issue, queued) = (Interlocked.Increment(ref _issued), Stopwatch.GetTimestamp());
        long began = queued,
            ended = 0;
        var isLate = false;
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(_stop.Token);
        // On a thread of the pool, so that an action that blocks does not block the clock.
        var task = Task.Run(async () =>
        {
            Volatile.Write(ref began, Stopwatch.GetTimestamp());
            ending.CancelAfter(_options.Timeout);
            try
            {
                await _call(() => _action.Sequence(client, state, ending.Token));
            }
            finally
            {
                Volatile.Write(ref ended, Stopwatch.GetTimestamp());
                isLate = ending.IsCancellationRequested;
            }
        });
        if (!await EndAsync(task, ending.Token))
        {
            Stuck(number, sequence);
            return false;
        }
        var (steps, pending) = client.Taken();
        var exception = Failure(task, pending);
        var end =
            _stop.IsCancellationRequested ? SequenceEnd.Cancelled
            : isLate ? SequenceEnd.TimedOut
            : exception is not null ? SequenceEnd.Threw
            : SequenceEnd.Succeeded;
        // Successful sequences that only keep up the load are not stored, because an idle loop would fill the memory.
        if (sequence >= _warmUps + _counted && end == SequenceEnd.Succeeded)
            return true;
        _sequences.Enqueue(
            new()
            {
                Run = _run,
                Client = number,
                Sequence = sequence,
                IssueIndex = issue - 1,
                IsCounted = sequence >= _warmUps && sequence < _warmUps + _counted,
                DurationMilliseconds = Stopwatch.GetElapsedTime(began, ended).TotalMilliseconds,
                EndSeconds = Stopwatch.GetElapsedTime(_loadBegan, ended).TotalSeconds,
                LagMilliseconds = Stopwatch.GetElapsedTime(queued, began).TotalMilliseconds,
                Steps = steps,
                End = end,
                Exception = exception,
            }
        );
        return true;
    }

    private void Stuck(int number, int sequence)
    {
        Interlocked.Increment(ref _stuck);
        if (!_stop.IsCancellationRequested)
            Fail(new(DoesNotEnd(number, sequence)));
    }

    private static Exception? Failure(Task task, int pending)
    {
        var exception = Cause(task.Exception) ?? (task.IsCanceled ? new TaskCanceledException(task) : null);
        return exception is null && pending > 0
            ? new InvalidOperationException($"the action ended before {pending} of its steps: await what Step returns")
            : exception;
    }

    /// <returns>Whether the task ended: by itself, or some time after its token was cancelled.</returns>
    private async Task<bool> EndAsync(Task task, CancellationToken token)
    {
        // Neither what the task throws nor the cancellation is of interest here.
        await task.WaitAsync(token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (!task.IsCompleted)
            await task.WaitAsync(_options.Patience, CancellationToken.None)
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return task.IsCompleted;
    }

    private async Task<object?> MakeStateAsync(int number, CancellationToken cancellation)
    {
        object? state = null;
        var isMade = false;
        await _call(async () =>
        {
            state = await _action.SetUp(new SequenceClient(_seed, _run, number, -1), cancellation);
            isMade = true;
        });
        // A framework may have an exception that ends a test with success.
        return isMade ? state : throw new InvalidOperationException("it ended before it made a state");
    }

    private async Task DisposeAsync(object? state)
    {
        if (state is not (IAsyncDisposable or IDisposable))
            return;
        var task = Task.Run(async () =>
        {
            if (state is IAsyncDisposable later)
                await later.DisposeAsync();
            else
                ((IDisposable)state).Dispose();
        });
        await task.WaitAsync(_options.Timeout, CancellationToken.None)
            .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (!task.IsCompletedSuccessfully)
            _remarks.Enqueue(
                task.IsCompleted
                    ? $"a state could not be disposed of: {Describe(Cause(task.Exception))}"
                    : $"the disposal of a state did not end within {_options.Timeout.TotalSeconds:0.###} s"
            );
    }

    private Task PauseAsync(TimeSpan pause) =>
        pause <= TimeSpan.Zero
            ? Task.CompletedTask
            : Task.Delay(pause, _stop.Token).ContinueWith(_ => { }, TaskScheduler.Default);

    private void Fail(SequenceException failure)
    {
        Interlocked.CompareExchange(ref _failure, failure, null);
        _stop.Cancel();
    }

    private string RunName => _run < 0 ? "the rehearsal" : FormattableString.Invariant($"run {_run + 1}");

    private string DoesNotEnd(int number, int sequence) =>
        FormattableString.Invariant($"sequences: sequence {sequence} of client {number} in {RunName} ")
        + FormattableString.Invariant($"did not end within {_options.Timeout.TotalSeconds:0.###} s, nor ")
        + FormattableString.Invariant($"within {_options.Patience.TotalSeconds:0.###} s after its token ")
        + "was cancelled; "
        + "it still runs. "
        + FormattableString.Invariant($"{_sequences.Count(done => done.End == SequenceEnd.Succeeded)} of ")
        + FormattableString.Invariant($"{_sequences.Count} sequences of this run succeeded before. ")
        + "Hand the token on to whatever the action awaits, or allow more "
        + FormattableString.Invariant($"with SequenceOptions.Timeout. Seed {_seed}.");

    private RunHealth Health(double share)
    {
        var sequences = _sequences.Where(sequence => sequence.End == SequenceEnd.Succeeded).ToArray();
        var lags = sequences.Select(sequence => sequence.LagMilliseconds).Order().ToArray();
        var durations = sequences.Select(sequence => sequence.DurationMilliseconds).Order().ToArray();
        return new()
        {
            Loop = LoadLoop.Closed,
            LatencyP99Milliseconds = Quantile(durations, .99),
            MeanWaitMilliseconds = _options.PauseMilliseconds?.Mean ?? 0,
            LagMedianMicroseconds = Quantile(lags, .5) * 1000,
            LagP99Microseconds = Quantile(lags, .99) * 1000,
            LagMaximumMicroseconds = Quantile(lags, 1) * 1000,
            GeneratorCpuShare = share,
        };
    }

    // The queue has the sequences in the order in which they ended.
    private WarmUp WarmUp()
    {
        var detector = new WarmUpDetector();
        foreach (var sequence in _sequences.Where(sequence => sequence.End == SequenceEnd.Succeeded))
            detector.Add(sequence.LatencyMilliseconds, sequence.EndSeconds, publication: false);
        return detector.Find();
    }

    private static double Quantile(double[] sorted, double share) =>
        sorted.Length == 0 ? double.NaN : sorted[(int)Math.Max(0, Math.Ceiling(share * sorted.Length) - 1)];

    private static Exception? Cause(Exception? exception)
    {
        while (exception is AggregateException { InnerException: { } inner })
            exception = inner;
        return exception;
    }

    internal static string Describe(Exception? exception) =>
        exception is null
            ? "it was cancelled"
            : $"{exception.GetType().Name}: "
                + $"{string.Join(' ', exception.Message.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries))}";
}
