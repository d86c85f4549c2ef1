using MqttCheck.Clients;
using MqttCheck.Statistics;
using MqttCheck.Tests.Requirements;
using MqttCheck.Verification;

namespace MqttCheck.Tests.Verification;

[TestFixture]
public sealed class ClientVerdictsTests
{
    [Test]
    public void A_certain_prediction_takes_44_sequences_of_each_client()
    {
        var outcomes = Enumerable.Range(0, 4500).Select(i => SimulatedBroker.Of(1, i, i != 7));
        Assert.That(
            ClientVerdicts.Of(SimulatedBroker.Predicted(1), outcomes),
            Is.EqualTo(new ClientVerdicts(99, 1, 0, 44))
        );
    }

    [Test]
    public void Clients_with_few_sequences_are_undecided()
    {
        var verdicts = ClientVerdicts.Of(
            SimulatedBroker.Predicted(1),
            Enumerable.Range(0, 400).Select(i => SimulatedBroker.Of(1, i, true))
        );
        Assert.That((verdicts.Undecided, verdicts.AcceptedShare), Is.EqualTo((100, (double?)null)));
    }

    // 1 - .99^100 = .63 if every client used up its error of .01; the test's true error at .85 against .95 is .0093,
    // which gives .61. 100 setups, seed 41, five standard errors.
    [Test]
    public void Among_100_clients_some_decision_is_wrong_more_often_than_not()
    {
        var wrong = 0;
        for (ulong setup = 0; setup < 100; setup++)
        {
            var random = RandomStream.For(41, setup);
            var outcomes = new Outcome[100 * 400];
            for (var i = 0; i < outcomes.Length; i++)
                outcomes[i] = SimulatedBroker.Of(1, i, random.NextDouble() < .85);
            if (ClientVerdicts.Of(SimulatedBroker.Predicted(.95), outcomes).Accepted > 0)
                wrong++;
        }
        Assert.That(wrong / 100.0, Is.EqualTo(.61).Within(5 * Math.Sqrt(.24 / 100)));
    }

    // 44 hits accept a prediction of 1, a miss before them rejects it; what comes later changes nothing.
    [Test]
    public void Sequences_count_by_run_and_then_in_the_order_of_issue()
    {
        Outcome[] outcomes =
        [
            .. Enumerable.Range(0, 44).Select(i => SimulatedBroker.Of(2, 100 * i, true)),
            SimulatedBroker.Of(1, 0, false),
            .. Enumerable.Range(0, 44).Select(i => SimulatedBroker.Of(1, 100 * i + 1, true)),
            SimulatedBroker.Of(1, 9901, false),
            SimulatedBroker.Of(0, 1, false) with
            {
                Status = OutcomeStatus.Unfinished,
            },
        ];
        var verdicts = ClientVerdicts.Of(SimulatedBroker.Predicted(1), outcomes);
        Assert.That(
            (verdicts, verdicts.Total, verdicts.AcceptedShare),
            Is.EqualTo((new ClientVerdicts(1, 1, 0, 44), 2, .5))
        );
    }

    [TestCase(0)]
    [TestCase(.5)]
    public void An_indifference_that_leaves_no_worse_hypothesis_is_refused(double indifference) =>
        Assert.That(
            () => ClientVerdicts.Of(SimulatedBroker.Predicted(.5), [], indifference),
            Throws
                .TypeOf<InputException>()
                .With.Message.EqualTo(
                    FormattableString.Invariant(
                        $"verdicts of clients: the indifference is {indifference}; allowed: above 0 and below the "
                    ) + "predicted probability 0.5"
                )
        );

    [Test]
    public void Without_clients_nothing_was_decided() =>
        Assert.That(ClientVerdicts.Of(SimulatedBroker.Predicted(.5), []), Is.EqualTo(new ClientVerdicts(0, 0, 0, 0)));
}
