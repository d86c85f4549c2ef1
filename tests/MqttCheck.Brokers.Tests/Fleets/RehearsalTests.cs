using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Tests.Fleets;

public sealed class RehearsalTests
{
    [Test]
    public void A_rehearsal_can_be_held_on_this_machine() => Assert.That(Rehearsal.Hold(ClientKind.Own), Is.True);

    [Test]
    public void Whoever_comes_second_gets_what_the_first_one_held() =>
        Assert.That((Rehearsal.Once(ClientKind.Own), Rehearsal.Once(ClientKind.Own)), Is.EqualTo((true, true)));
}
