using MqttCheck.Requirements;
using MqttCheck.Signals;
using MqttCheck.Testing.Reporting;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Testing.Requirements;

/// <summary>
/// A requirement on a <see cref="Measurement"/>: it makes runs until a sequential test decides or the time ends, and
/// writes a report.
/// </summary>
public abstract class MeasuringRequirement
{
    /// <summary>The method that gives <see cref="Budget"/>.</summary>
    private protected const string BudgetName = "Within";

    private protected MeasuringRequirement() { }

    /// <summary>The requirement, in one line.</summary>
    public abstract string Description { get; }

    /// <summary>How long the runs may take; null for the default.</summary>
    private protected TimeSpan? Budget { get; set; }

    private protected static TimeSpan DefaultBudget { get; } = TimeSpan.FromSeconds(60);

    /// <summary>
    /// Makes as many runs as a verdict takes, those first that the measurement has made already. It blocks its thread
    /// meanwhile.
    /// </summary>
    /// <param name="measurement">
    /// The measurement, from <c>broker.Measure(...)</c> or <c>Measure.Sequences(...)</c>.
    /// </param>
    /// <param name="host">The services of the test framework; null, the default, for none.</param>
    /// <returns>The decision.</returns>
    /// <exception cref="InputException">The requirement does not go with the measurement.</exception>
    /// <exception cref="MqttCheck.Brokers.Processes.BrokerException">
    /// The broker cannot be reached, or ended.
    /// </exception>
    /// <exception cref="Sequences.SequenceException">Actions cannot be measured.</exception>
    /// <exception cref="OperationCanceledException">The measurement was cancelled.</exception>
    public Decision Decide(Measurement measurement, TestHost? host = null)
    {
        ArgumentNullException.ThrowIfNull(measurement);
        host ??= new();
        measurement.Host = host;
        using var span = Instruments.Source.StartActivity("requirement");
        span?.SetTag("mqttcheck.test", host.Name).SetTag("mqttcheck.requirement", Description);
        measurement.Prepare();
        var verdict = Judge(measurement, TimeProvider.System);
        RequirementSignals.Tell(measurement, verdict, Description);
        var report = TestReport.Write(host, measurement, verdict, Description);
        return new(
            verdict.IsMet switch
            {
                true => RequirementVerdict.Met,
                false => RequirementVerdict.Violated,
                _ => RequirementVerdict.Withheld,
            },
            Description,
            FailureMessage.Actual(verdict),
            FailureMessage.Details(measurement, verdict, report)
        );
    }

    /// <summary>Makes the runs.</summary>
    internal abstract MeasuredVerdict Judge(Measurement measurement, TimeProvider time);

    /// <summary>Makes the runs of a series, those first that the measurement has made already.</summary>
    private protected static RunTally<MeasuredRun> MakeRuns(
        Measurement measurement,
        IRunSeries<MeasuredRun> series,
        TimeSpan budget,
        TimeProvider time
    )
    {
        var loop = new RunLoop<MeasuredRun>([series], new(budget), time)
        {
            IsValid = measurement.IsValid,
            MadeBefore = measurement.Runs.Count,
        };
        // A cancelled measurement ends its run, and the test, with an exception.
        return loop.Run(CancellationToken.None)[0];
    }
}
