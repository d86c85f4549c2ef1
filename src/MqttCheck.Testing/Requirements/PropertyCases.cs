using MqttCheck.Requirements;
using MqttCheck.Sequential;
using MqttCheck.Testing.Reporting;
using static System.FormattableString;

namespace MqttCheck.Testing.Requirements;

/// <summary>
/// Runs cases of a property until a test is over, on a thread of its own, so that a case that never ends does not hold
/// the test.
/// </summary>
internal sealed class PropertyCases(
    PropertySource source,
    ProbabilityTest test,
    ulong seed,
    TimeSpan caseTimeout,
    string requirement,
    TestHost host
)
{
    private static readonly TimeSpan s_progress = TimeSpan.FromSeconds(10);

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(2);

    private long _number,
        _caseBegan,
        _rejected,
        _failed;
    private FailingCase? _smallest,
        _shrunk;
    private bool _gaveUp,
        _isUnshrunk;

    /// <summary>The statistical test that the cases feed.</summary>
    public ProbabilityTest Test => test;

    /// <summary>The observation, for the line "But was".</summary>
    public string Actual =>
        test.Count.Samples == 0
            ? "no case that counts"
            : Invariant($"a probability of {test.Count.Share:0.000} (95 % interval ")
                + Invariant($"{test.Interval.Lower:0.000} to {test.Interval.Upper:0.000})");

    /// <summary>How many cases were run.</summary>
    public string Seen =>
        Invariant($"it held in {test.Count.Successes} of {test.Count.Samples} ")
        + Invariant($"cases{(_rejected == 0 ? "" : Invariant($"; its precondition rejected {_rejected} more"))}");

    /// <summary>
    /// Runs the cases. The token of the host ends it between two cases, and does not wait for one that goes on.
    /// </summary>
    /// <exception cref="CaseException">A case does not end, or its values cannot be generated.</exception>
    /// <exception cref="OperationCanceledException">It was cancelled.</exception>
    public void Run() => OnAThread(Count);

    /// <summary>Shrinks the smallest failing case, in the time that one case has.</summary>
    public void Shrink()
    {
        Volatile.Write(ref _caseBegan, TimeProvider.System.GetTimestamp());
        try
        {
            OnAThread(_ => _shrunk = source.Shrink(_smallest!));
        }
        catch (CaseException)
        {
            // The verdict does not depend on whether the failing case was shrunk.
            _isUnshrunk = true;
        }
    }

    /// <summary>The lines of a message.</summary>
    public IReadOnlyList<string> Details()
    {
        var lines = new List<string> { $"Seen:     {Seen}" };
        if (test.Verdict == RequirementVerdict.Withheld)
            lines.Add("Sure:     withheld: " + WhyWithheld());
        lines.Add($"{(lines.Count == 1 ? "Sure:     " : "          ")}{test.Options.Promise}");
        lines.Add(
            "          Not covered: a property whose cases act on each other, for example through a broker "
                + "that remembers them."
        );
        if (_smallest is { } smallest)
        {
            lines.Add(
                Invariant($"Case:     number {smallest.Number}, the smallest of {_failed} failing ")
                    + Invariant($"{(_failed == 1 ? "case" : "cases")}: {smallest.Reason}")
            );
            Add(lines, smallest);
            if (_shrunk is { Shrinks: > 0 } shrunk)
            {
                lines.Add(Invariant($"Shrunk:   {shrunk.Shrinks} times: {shrunk.Reason}"));
                Add(lines, shrunk);
            }
        }
        if (_isUnshrunk)
            lines.Add(
                Invariant($"Shrunk:   not within {caseTimeout.TotalSeconds:0.###} s, and its code still ")
                    + "runs; allow more with WithCaseTimeout(...)"
            );
        lines.Add("Repeat:   " + FailureMessage.Repeat(host, seed));
        return lines;
    }

    private static void Add(List<string> lines, FailingCase failing)
    {
        if (failing.Labels.Count > 0)
            lines.Add("          labels: " + string.Join(", ", failing.Labels));
        lines.AddRange(
            failing
                .Values.Split('\n', StringSplitOptions.RemoveEmptyEntries)
                .Select(value => "          " + value.TrimEnd())
        );
    }

    private void OnAThread(Action<CancellationToken> work)
    {
        var cancellation = host.Token;
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        var token = stop.Token;
        var task = Task.Factory.StartNew(
            () =>
                host.Call(() =>
                    {
                        work(token);
                        return Task.CompletedTask;
                    })
                    .GetAwaiter()
                    .GetResult(),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );
        var clock = TimeProvider.System;
        var (began, announced) = (clock.GetTimestamp(), TimeSpan.Zero);
        while (Task.WaitAny([task], TimeSpan.FromMilliseconds(50)) < 0)
        {
            RefuseToWait(task, clock, stop);
            var elapsed = clock.GetElapsedTime(began);
            if (
                elapsed - announced < (announced == TimeSpan.Zero ? s_progress / 5 : s_progress)
                || test.Count.Samples == 0
            )
                continue;
            announced = elapsed;
            host.WriteProgress(Progress(elapsed));
        }
        try
        {
            task.GetAwaiter().GetResult();
        }
        catch (InvalidOperationException exception)
        {
            throw new CaseException(
                $"{exception.Message} Before it, {Seen}. Repeat: {FailureMessage.Repeat(host, seed)}",
                exception
            );
        }
        catch (OperationCanceledException)
        {
            throw new OperationCanceledException(
                Invariant($"The test was cancelled after {test.Count.Samples} cases of seed {seed}: {Seen}."),
                cancellation
            );
        }
    }

    // A case that runs on is left alone; it is the last one.
    private void RefuseToWait(Task task, TimeProvider clock, CancellationTokenSource stop)
    {
        var cancellation = host.Token;
        var number = Volatile.Read(ref _number);
        if (cancellation.IsCancellationRequested && Task.WaitAny([task], s_patience) < 0)
            throw new OperationCanceledException(
                Invariant($"The test was cancelled in case {number} of seed {seed}, which still runs: {Seen}."),
                cancellation
            );
        if (Volatile.Read(ref _caseBegan) is not (> 0 and var since) || clock.GetElapsedTime(since) <= caseTimeout)
            return;
        stop.Cancel();
        throw new CaseException(
            Invariant($"Case {number} of seed {seed} did not end within {caseTimeout.TotalSeconds:0.###} s; ")
                + $"its code still runs. Before it, {Seen}. Find out what the property waits for, "
                + $"or allow more with WithCaseTimeout(...). Repeat: {FailureMessage.Repeat(host, seed)}"
        );
    }

    private void Count(CancellationToken cancellation)
    {
        var row = 0;
        while (!test.IsOver)
        {
            cancellation.ThrowIfCancellationRequested();
            Volatile.Write(ref _caseBegan, TimeProvider.System.GetTimestamp());
            var holds = source.Run(_number, out var failure);
            Interlocked.Increment(ref _number);
            if (holds is not { } counted)
            {
                _rejected++;
                if (++row < PropertySource.LargestRejectedRow)
                    continue;
                _gaveUp = true;
                return;
            }
            row = 0;
            test.Add(counted);
            if (failure is null)
                continue;
            _failed++;
            if (_smallest is null || failure.Values.Length < _smallest.Values.Length)
                _smallest = failure;
        }
    }

    private string WhyWithheld() =>
        _gaveUp
            ? Invariant($"the property's precondition rejected {PropertySource.LargestRejectedRow} cases in a ")
                + "row; generate values that it accepts"
            : Invariant($"{test.Count.Samples} cases do not decide, maxCases allows no more; a property that ")
                + Invariant($"always holds takes {test.FewestCases}, any at most ")
                + Invariant($"{new ProbabilityTest(test.Options with { MaxCases = null }).LargestCases}");

    private string Progress(TimeSpan elapsed)
    {
        var perCase = elapsed / test.Count.Samples;
        return Invariant($"MqttCheck: {requirement}: {Seen} in {elapsed.TotalSeconds:0} s; a verdict takes ")
            + Invariant($"{test.FewestCases} cases, about {(perCase * test.FewestCases).TotalSeconds:0} s, if ")
            + "it always holds, "
            + Invariant(
                $"and at most {test.LargestCases}, about {(perCase * test.LargestCases).TotalSeconds:0} s. Seed {seed}."
            );
    }
}
