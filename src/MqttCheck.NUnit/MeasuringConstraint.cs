using MqttCheck.NUnit.Reporting;
using NUnit.Framework;
using NUnit.Framework.Constraints;

namespace MqttCheck.NUnit;

/// <summary>
/// A constraint on a <see cref="Measurement"/>: it makes runs until a sequential test decides or the budget ends, writes a report, and attaches it to the test's result.
/// </summary>
/// <remarks>
/// Without a verdict the test fails and says so: a gate that cannot tell must not open, and <c>dotnet test</c> ends with success when a test is inconclusive. <c>InconclusiveWithoutVerdict()</c> makes it
/// inconclusive instead. In both cases an exception ends the test, so that negation cannot turn "not known" into success.
/// </remarks>
public abstract class MeasuringConstraint : Constraint
{
    private const int LeastRuns = 3;

    private protected MeasuringConstraint() { }

    private protected bool IsInconclusiveWithoutVerdict { get; set; }

    /// <summary>How long the runs may take; null for the default.</summary>
    private protected TimeSpan? Budget { get; set; }

    private protected static TimeSpan DefaultBudget { get; } = TimeSpan.FromSeconds(60);

    /// <inheritdoc/>
    public override ConstraintResult ApplyTo<TActual>(TActual actual)
    {
        if (actual is not Measurement measurement)
            throw new ArgumentException(
                $"The value is a {actual?.GetType().Name ?? "null"}; allowed: a Measurement, as broker.Measure(...) or Measure.Sequences(...) yields it.",
                nameof(actual)
            );
        measurement.Prepare();
        return Conclude(measurement, Decide(measurement, TimeProvider.System));
    }

    /// <inheritdoc/>
    public override async Task<ConstraintResult> ApplyToAsync<TActual>(Func<Task<TActual>> taskDel)
    {
        ArgumentNullException.ThrowIfNull(taskDel);
        var actual = await taskDel();
        // The runs block a thread; the test's own may be the only one of its kind.
        return await Task.Run(() => ApplyTo(actual));
    }

    /// <summary>Makes the runs.</summary>
    internal abstract MeasuredVerdict Decide(Measurement measurement, TimeProvider time);

    private LinesResult Conclude(Measurement measurement, MeasuredVerdict verdict)
    {
        var report = TestReport.Write(measurement, verdict, Description);
        var (actual, details) = (FailureMessage.Actual(verdict), FailureMessage.Details(measurement, verdict, report));
        if (verdict.IsMet is { } met)
            return new LinesResult(this, measurement, met, actual, details);
        var text = string.Concat(
            details
                .Prepend("But was:  " + actual)
                .Prepend("Expected: " + Description)
                .Select(line => "  " + line + Environment.NewLine)
        );
        if (IsInconclusiveWithoutVerdict)
            throw new InconclusiveException(text);
        throw new AssertionException(text);
    }

    /// <summary>
    /// Makes runs until there is a verdict or the time ends, three at least. A run whose generator was overloaded or late says as much about the generator as about the broker: it is not counted, and another one is made
    /// in its place. Where half of all runs are invalid, or more, there is no verdict.
    /// </summary>
    /// <param name="measurement">What to measure.</param>
    /// <param name="sequences">How many sequences of each client count in a run.</param>
    /// <param name="needed">With so many invalid runs there is none.</param>
    /// <param name="budget">The time.</param>
    /// <param name="time">The clock.</param>
    /// <param name="decides">Counts a run and says whether there is a verdict.</param>
    private protected static RunTally MakeRuns(
        Measurement measurement,
        int sequences,
        int needed,
        TimeSpan budget,
        TimeProvider time,
        Func<MeasuredRun, bool> decides
    )
    {
        var began = time.GetTimestamp();
        var longest = TimeSpan.Zero;
        var (counted, invalid, isDecided) = (new List<MeasuredRun>(), new List<MeasuredRun>(), false);
        while (
            !(isDecided && invalid.Count < counted.Count)
            && invalid.Count < needed
            && (counted.Count + invalid.Count < LeastRuns || time.GetElapsedTime(began) + longest <= budget)
        )
        {
            var clock = time.GetTimestamp();
            var run = measurement.Run(counted.Count + invalid.Count, sequences);
            if (time.GetElapsedTime(clock) is var took && took > longest)
                longest = took;
            if (!measurement.IsValid(run.Health))
            {
                invalid.Add(run);
                continue;
            }
            counted.Add(run);
            isDecided = decides(run);
        }
        return new(counted, invalid);
    }
}
