using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Sequential;
using MqttCheck.Verification;

namespace MqttCheck.Reports.Tests.Formats;

public sealed class VerdictRemarksTests
{
    private static readonly VerdictReport Plain = new()
    {
        Point = new("up1", 10, 20, .85, new(.83, .87)),
        Kind = VerdictKind.Confirmed,
        Reason = "because",
        Samples = 900,
    };

    [Test]
    public void A_verdict_alone_needs_no_remark() =>
        Assert.That(VerdictRemarks.Of(Plain with { DecidedAfterSamples = 900 }), Is.Empty);

    [Test]
    public void Samples_that_came_after_the_verdict_are_told_apart() =>
        Assert.That(
            VerdictRemarks.Of(Plain with { DecidedAfterSamples = 500 }),
            Is.EqualTo([
                "Decided after 500 sequences; the others were made for other points of the setup, and count too.",
            ])
        );

    [Test]
    public void The_tests_of_the_paper_stand_beside_a_two_sided_verdict() =>
        Assert.That(
            VerdictRemarks.Of(Plain with { OneSided = SprtDecision.AcceptH0, Clients = new(6, 3, 1, 40) }),
            Is.EqualTo([
                "One-sided: the prediction is rejected.",
                "Each client for itself, as in the original paper: 6 accept, "
                    + "3 reject, 1 undecided; of those that decided 66.67 % accept.",
            ])
        );
}
