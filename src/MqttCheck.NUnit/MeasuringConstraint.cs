using MqttCheck.Checking;
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
    private protected MeasuringConstraint() { }

    private protected bool IsInconclusiveWithoutVerdict { get; set; }

    private protected TimeSpan Budget { get; set; } = TimeSpan.FromSeconds(60);

    /// <inheritdoc/>
    public override ConstraintResult ApplyTo<TActual>(TActual actual)
    {
        if (actual is not Measurement measurement)
            throw new ArgumentException($"The value is a {actual?.GetType().Name ?? "null"}; allowed: a Measurement, as broker.Measure(...) yields it.", nameof(actual));
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
    private protected abstract MeasuredVerdict Decide(Measurement measurement, TimeProvider time);

    private LinesResult Conclude(Measurement measurement, MeasuredVerdict verdict)
    {
        var report = TestReport.Write(measurement, verdict, Description);
        var (actual, details) = (FailureMessage.Actual(verdict), FailureMessage.Details(measurement, verdict, report));
        if (verdict.IsMet is { } met) return new LinesResult(this, measurement, met, actual, details);
        var text = string.Concat(details.Prepend("But was:  " + actual).Prepend("Expected: " + Description).Select(line => "  " + line + Environment.NewLine));
        if (IsInconclusiveWithoutVerdict) throw new InconclusiveException(text);
        throw new AssertionException(text);
    }

    /// <summary>The condition under which to make another run: the smallest number is not reached, or there is no verdict and time for it.</summary>
    private protected bool GoesOn(int runs, int minimumRuns, bool isDecided, TimeSpan elapsed, TimeSpan longestRun) =>
        runs < minimumRuns || (!isDecided && elapsed + longestRun <= Budget);
}
