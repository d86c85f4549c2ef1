using MqttCheck.Brokers.Processes;
using MqttCheck.Testing.Reporting;
using static System.FormattableString;

namespace MqttCheck.Testing.Sequences;

/// <summary>Actions of a user, run by many clients at once. Made by <see cref="Measure"/>.</summary>
public sealed class SequenceMeasurement : Measurement
{
    // A shorter action would measure the clock and the scheduler.
    private static readonly TimeSpan s_shortest = TimeSpan.FromMilliseconds(1);

    private readonly SequenceAction _action;
    private readonly SequenceOptions _options;
    private SequenceRun? _rehearsal;
    private TimeSpan _setUpTime;

    internal SequenceMeasurement(
        SequenceAction action,
        int clients,
        SequenceOptions options,
        CancellationToken cancellation
    )
        : base(clients, MeasureOptions.SeedOf(options.Seed), options.SequencesPerClient, cancellation)
    {
        (_action, _options) = (action, options);
        InputException.ThrowIfAny(options.Validate(clients));
    }

    /// <inheritdoc/>
    public override string Profile => _options.Profile;

    /// <inheritdoc/>
    public override TimeSpan SequenceTime
    {
        get
        {
            Prepare();
            var mean = TimeSpan.FromMilliseconds(
                _rehearsal!.Sequences.Average(sequence => sequence.DurationMilliseconds)
                    + (_options.PauseMilliseconds?.Mean ?? 0)
            );
            return mean < s_shortest ? s_shortest : mean;
        }
    }

    // A sequence of each client warms up, clients begin one after the other, and the slowest one ends the run.
    internal override TimeSpan RunOverhead => 2 * SequenceTime + Stagger + _setUpTime;

    internal override MeasurementWords Words => MeasurementWords.Actions;

    internal override string? Environment =>
        _options.Broker is { } broker ? FailureMessage.DescribeBroker(broker) : null;

    internal override string? Failures
    {
        get
        {
            var runs = Runs.OfType<SequenceRun>().ToArray();
            var all = runs.SelectMany(run => run.Sequences).ToArray();
            var failed = all.Where(sequence => sequence.End is SequenceEnd.Threw or SequenceEnd.TimedOut).ToArray();
            var lines = new List<string>();
            if (failed.Length > 0)
            {
                var (threw, timedOut) = (
                    failed.Count(sequence => sequence.End == SequenceEnd.Threw),
                    failed.Count(sequence => sequence.End == SequenceEnd.TimedOut)
                );
                lines.Add(
                    Invariant($"{failed.Length} of {all.Length} sequences: {threw} threw, {timedOut} took ")
                        + Invariant($"longer than {_options.Timeout.TotalSeconds:0.###} s. The first: ")
                        + Invariant($"{Describe(failed[0])}")
                );
            }
            lines.AddRange(runs.SelectMany(run => run.Remarks).Distinct().Take(3));
            return lines.Count == 0 ? null : string.Join("; ", lines);
        }
    }

    private TimeSpan Stagger => TimeSpan.FromTicks(Math.Min(SequenceTime.Ticks, TimeSpan.TicksPerSecond));

    /// <summary>The setup in words.</summary>
    public override string ToString() =>
        Invariant($"{Clients} {(Clients == 1 ? "client" : "clients")} with ")
        + Invariant($"{_options.Profile}{(_options.Broker is { } broker ? " on " + broker.Description.Name : "")}");

    // Each client runs its action once, so that the plan knows how long that takes.
    internal override void Prepare()
    {
        if (_rehearsal is not null)
            return;
        var rehearsal = Make(-1, 1, TimeSpan.Zero);
        if (rehearsal.Sequences.All(sequence => sequence.End == SequenceEnd.TimedOut))
        {
            throw new SequenceException(
                Invariant($"sequences: none of {rehearsal.Sequences.Count} actions ended within ")
                    + Invariant($"{_options.Timeout.TotalSeconds:0.###} s in the rehearsal, so there is nothing ")
                    + "to measure. "
                    + Invariant(
                        $"Find out what they wait for, or allow more with SequenceOptions.Timeout. Seed {Seed}."
                    )
            );
        }
        _rehearsal = rehearsal;
    }

    internal override void Check(MeasuredLatency latency, string? step)
    {
        if (latency != MeasuredLatency.Any)
            throw new InputException(
                $"requirement: {latency} is asked for, but {this} do what MqttCheck does not see; allowed: "
                    + "Latency, with OfStep(name) for a step, and Success."
            );
        var names = _rehearsal!
            .Sequences.SelectMany(sequence => sequence.Steps)
            .Select(measured => measured.Name)
            .Distinct()
            .ToArray();
        if (step is not null && names.Length > 0 && !names.Contains(step))
            throw new InputException(
                $"requirement: no sequence of the rehearsal has a step '{step}'; seen: {string.Join(", ", names)}."
            );
        if (
            step is not null
            && names.Length == 0
            && _rehearsal.Sequences.Any(sequence => sequence.End == SequenceEnd.Succeeded)
        )
            throw new InputException(
                $"requirement: steps named '{step}' are asked for, but the action has none; allowed: "
                    + $"client.Step(\"{step}\", () => ...) in the action."
            );
    }

    internal override double SamplesPerSequence(MeasuredLatency latency, string? step) =>
        Math.Max(.05, _rehearsal!.Sequences.Average(sequence => sequence.StepLatencies(step).Count()));

    private protected override MeasuredRun Make(int index, int sequencesPerClient)
    {
        Prepare();
        return Make(index, sequencesPerClient, Stagger);
    }

    private SequenceRun Make(int index, int sequencesPerClient, TimeSpan stagger)
    {
        try
        {
            return Turns.Take(
                () =>
                {
                    using var runner = new SequenceRunner(
                        _action,
                        _options,
                        Clients,
                        Seed,
                        index,
                        sequencesPerClient,
                        stagger,
                        Host.Call,
                        Cancellation
                    );
                    // Not on the thread of the test, whose synchronization context may be waiting for this.
                    var run = Task.Run(() => runner.RunAsync(Cancellation)).GetAwaiter().GetResult();
                    _setUpTime = runner.SetUpTime;
                    if (_options.Broker?.Failure is { } failure)
                        throw new BrokerException(failure);
                    return run;
                },
                Cancellation
            );
        }
        catch (SequenceException exception) when (_options.Broker?.Failure is { } failure)
        {
            throw new BrokerException($"{failure}\n{exception.Message}", exception);
        }
    }

    private static string Describe(MeasuredSequence sequence)
    {
        var where = Invariant($" (run {sequence.Run + 1}, client {sequence.Client}, sequence {sequence.Sequence})");
        if (sequence.Exception is null)
            return "it ended too late" + where;
        // The first line of the stack trace is shown. The deepest frame of the user's code would say more, but only the
        // user knows which one that is.
        var frame = sequence.Exception.StackTrace?.Split('\n', 2)[0].Trim();
        return SequenceRunner.Describe(sequence.Exception) + where + (frame is null ? "" : " " + frame);
    }
}
