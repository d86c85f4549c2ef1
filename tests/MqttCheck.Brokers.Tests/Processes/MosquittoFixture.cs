using MqttCheck.Brokers.Processes;

namespace MqttCheck.Brokers.Tests.Processes;

/// <summary>A Mosquitto for all tests of a fixture.</summary>
public abstract class MosquittoFixture
{
    protected IBrokerUnderTest Broker { get; private set; } = null!;

    [OneTimeSetUp]
    public async Task StartBrokerAsync() => Broker = await Installed.MosquittoAsync();

    [OneTimeTearDown]
    public async Task StopBrokerAsync()
    {
        if (Broker is not null)
            await Broker.DisposeAsync();
    }
}
