using MqttCheck.NUnit.Reporting;
using MqttCheck.Verification.Deciding;
using NUnit.Framework;
using NUnit.Framework.Constraints;

namespace MqttCheck.NUnit;

/// <summary>
/// A constraint on a <see cref="Measurement"/>: it makes runs until a sequential test decides or the budget ends,
/// writes a report, and attaches it to the test's result.
/// </summary>
/// <remarks>
/// Without a verdict the test fails and says so: a gate that cannot tell must not open, and <c>dotnet test</c> ends
/// with success when a test is inconclusive. <c>InconclusiveWithoutVerdict()</c> makes it inconclusive instead. In both
/// cases an exception ends the test, so that negation cannot turn "not known" into success.
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
                $"The value is a {actual?.GetType().Name ?? "null"}; allowed: a Measurement, as broker.Measure(...) or "
                    + "Measure.Sequences(...) yields it.",
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

    /// <summary>Makes the runs of a series, those first that the measurement has made already.</summary>
    private protected static RunTally<MeasuredRun> MakeRuns(
        Measurement measurement,
        IRunSeries<MeasuredRun> series,
        TimeSpan budget,
        TimeProvider time
    )
    {
        var options = new RunLoopOptions
        {
            Budget = budget,
            Grace = 1,
            AlwaysMade = LeastRuns,
        };
        var loop = new RunLoop<MeasuredRun>([series], options, time) { IsValid = measurement.IsValid };
        // A cancelled measurement ends its run, and the test, with an exception.
        return loop.Run(CancellationToken.None)[0];
    }
}
