using MqttCheck.Clients;

namespace MqttCheck.Tests.Clients;

/// <summary>
/// The functional model of a client: guards and transitions, the same for measuring, simulating and checking.
/// </summary>
[TestFixture]
internal sealed class ClientMachineTests
{
    [Test]
    public void Without_connection_a_client_can_only_connect()
    {
        foreach (var input in Enum.GetValues<ClientInput>())
            Assert.That(
                ClientMachine.Allows(default, input),
                Is.EqualTo(input == ClientInput.Connect),
                input.ToString()
            );
    }

    [Test]
    public void Acknowledgements_are_withheld_once_and_released_once()
    {
        var state = new ClientState { Connected = true };
        Assert.That(ClientMachine.Allows(state, ClientInput.Release), Is.False);
        ClientMachine.Apply(ref state, [], ClientInput.Hold);
        Assert.That(
            (ClientMachine.Allows(state, ClientInput.Hold), ClientMachine.Allows(state, ClientInput.Release)),
            Is.EqualTo((false, true))
        );
    }

    [TestCase(true, ClientInput.Disconnect, ExpectedResult = 1)]
    [TestCase(true, ClientInput.Drop, ExpectedResult = 1)]
    [TestCase(false, ClientInput.Disconnect, ExpectedResult = 0)]
    [TestCase(false, ClientInput.Misbehave, ExpectedResult = 0)]
    public int A_session_outlives_its_connection_if_it_persists(bool persists, ClientInput end)
    {
        var (state, subscribed) = (default(ClientState), new ulong[1]);
        ClientMachine.Apply(ref state, subscribed, ClientInput.Connect, clean: true, persists: persists);
        ClientMachine.Apply(ref state, subscribed, ClientInput.Subscribe, 3);
        ClientMachine.Apply(ref state, subscribed, ClientInput.Subscribe, 3);
        ClientMachine.Apply(ref state, subscribed, end);
        Assert.That((state.Connected, subscribed[0]), Is.EqualTo((false, state.Subscriptions == 1 ? 8ul : 0ul)));
        return state.Subscriptions;
    }

    [Test]
    public void A_clean_start_drops_the_session_and_taking_over_ends_one_that_does_not_persist()
    {
        foreach (
            var (persists, clean, left) in ((bool, bool, int)[])[(true, true, 0), (true, false, 1), (false, false, 0)]
        )
        {
            var (state, subscribed) = (default(ClientState), new ulong[1]);
            ClientMachine.Apply(ref state, subscribed, ClientInput.Connect, persists: persists);
            ClientMachine.Apply(ref state, subscribed, ClientInput.Subscribe, 0);
            ClientMachine.Apply(ref state, subscribed, ClientInput.Connect, clean: clean);
            Assert.That(state.Subscriptions, Is.EqualTo(left));
        }
    }
}
