using MqttCheck.Sequential.Runs;
using MqttCheck.Verification;

namespace MqttCheck.Tests.Verification;

public sealed class VerificationOptionsTests
{
    private static readonly VerificationOptions s_usual = new();

    private static IEnumerable<TestCaseData> Wrong() =>
        [
            new(s_usual with { Error = 0 }, "the error is 0; it must be greater than 0 and less than 0.5"),
            new(s_usual with { Error = .5 }, "the error is 0.5; it must be greater than 0 and less than 0.5"),
            new(s_usual with { Points = 0 }, "the number of points is 0; it must be at least 1"),
            new(
                s_usual with
                {
                    Indifference = 0,
                },
                "the indifference is 0; it must be greater than 0 and less than 0.5"
            ),
            new(s_usual with { Indifference = .5 }, "the indifference is 0.5; it must be greater than 0"),
            new(s_usual with { MinimumRuns = 2 }, "the minimum number of runs is 2; it must be at least 3"),
            new(s_usual with { Guarantee = (Guarantee)7 }, "the guarantee is 7; it must be Model or Any"),
            new(
                s_usual with
                {
                    Guarantee = Guarantee.Any,
                    Test = VerdictTest.Clients,
                },
                "the guarantee of a test of each client is 1; it must be Model: clients are not runs"
            ),
            new(s_usual with { AcceptingShare = 0 }, "the share of clients that must accept is 0; it must be greater"),
            new(s_usual with { AcceptingShare = 1.01 }, "is 1.01; it must be greater than 0 and at most 1"),
        ];

    [TestCaseSource(nameof(Wrong))]
    public void A_wrong_option_is_named_with_its_value_and_what_is_allowed(VerificationOptions options, string said)
    {
        var errors = options.Validate("here");
        Assert.That(errors, Has.Count.EqualTo(1));
        Assert.That(errors[0], Does.StartWith("here: ").And.Contains(said));
    }

    [Test]
    public void Options_at_the_ends_of_their_ranges_are_right()
    {
        VerificationOptions[] right =
        [
            s_usual,
            s_usual with
            {
                MinimumRuns = 3,
                Points = 2,
            },
            s_usual with
            {
                Guarantee = Guarantee.Any,
            },
            s_usual with
            {
                Test = VerdictTest.Clients,
                AcceptingShare = .01,
            },
        ];
        Assert.That(right.SelectMany(options => options.Validate("here")), Is.Empty);
    }
}
