using MqttCheck.Predictions;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;

namespace MqttCheck.Reports.Tests.Formats;

public sealed class MermaidTextTests
{
    private static readonly VerdictReport s_verdict = SampleReports.Full(exchanges: 10, clients: [50, 100]).Verdicts[0];

    [Test]
    public void Verdicts_are_bars_of_what_was_measured_and_a_line_of_what_was_predicted() =>
        Assert.That(
            Drawn(Verdict("up1", 50, 10, 0.3, 0.25), Verdict("up1", 50, 12.5, 0.999951, 1)),
            Is.EqualTo(
                """

                ```mermaid
                xychart-beta
                    title "Sequences in time: bars measured, line predicted"
                    x-axis ["up1 50, 10 ms", "up1 50, 12.5 ms"]
                    y-axis "share" 0 --> 1
                    bar [0.25, 1.0]
                    line [0.3, 1.0]
                ```

                """
            )
        );

    [Test]
    public void What_was_not_measured_is_left_out_and_nothing_is_drawn_of_nothing()
    {
        var missing = Verdict("up1", 50, 10, 0.3, double.NaN);
        Assert.That(Drawn(missing), Is.Empty);
        Assert.That(Drawn(missing, Verdict("up2", 50, 10, 0.5, 0.5)), Does.Contain("x-axis [\"up2 50, 10 ms\"]"));
    }

    [Test]
    public void A_profile_cannot_end_its_label_or_the_picture() =>
        Assert.That(
            Drawn(Verdict("a\"]\n```<b>", 50, 10, 0.3, 0.25)),
            Does.Contain("x-axis [\"a       b  50, 10 ms\"]")
        );

    private static VerdictReport Verdict(
        string profile,
        int clients,
        double threshold,
        double predicted,
        double measured
    ) =>
        s_verdict with
        {
            Point = new PredictedPoint(profile, clients, threshold, predicted, new(predicted, predicted)),
            MeasuredProbability = measured,
        };

    private static string Drawn(params VerdictReport[] verdicts)
    {
        using var writer = new StringWriter { NewLine = "\n" };
        MermaidText.Verdicts(writer, verdicts);
        return writer.ToString();
    }
}
