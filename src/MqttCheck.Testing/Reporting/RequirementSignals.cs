using System.Globalization;
using MqttCheck.Signals;

namespace MqttCheck.Testing.Reporting;

/// <summary>Tells listeners of the verdict on a requirement.</summary>
internal static class RequirementSignals
{
    /// <summary>Tells of it.</summary>
    public static void Tell(Measurement measurement, MeasuredVerdict verdict, string requirement)
    {
        if (!Instruments.AreHeard)
            return;
        (string, string)[] labels =
        [
            ("test", measurement.Host.Name),
            ("requirement", requirement),
            ("profile", measurement.Profile),
            ("clients", measurement.Clients.ToString(CultureInfo.InvariantCulture)),
            .. measurement.Logged is { } broker ? ((string, string)[])[("broker", broker.Name)] : [],
        ];
        void Record(string name, string help, double value) => Instruments.Record(name, help, value, labels);
        Record("mqttcheck_requirement_required_ratio", "The probability that is required.", verdict.Probability);
        if (verdict.Count > 0)
        {
            Record("mqttcheck_requirement_measured_ratio", "The measured probability.", verdict.Observed);
            Record("mqttcheck_requirement_lower_ratio", "Lower end of its 95 % interval.", verdict.Interval.Lower);
            Record("mqttcheck_requirement_upper_ratio", "Upper end of its 95 % interval.", verdict.Interval.Upper);
        }
        Record("mqttcheck_requirement_runs", "Runs that count in the verdict.", verdict.Runs.Count);
        foreach (
            var (word, isMet) in (ReadOnlySpan<(string, bool?)>)[("met", true), ("violated", false), ("withheld", null)]
        )
            Instruments.Record(
                "mqttcheck_requirement_verdict",
                "Whether the verdict is this one: 1 or 0.",
                verdict.IsMet == isMet ? 1 : 0,
                [.. labels, ("verdict", word)]
            );
    }
}
