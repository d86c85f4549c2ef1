namespace MqttCheck.Server.Tests;

/// <summary>A server for all tests of a fixture, and a client that knows its token.</summary>
internal abstract class ServerFixture
{
    protected TestServer Server { get; private set; } = null!;

    protected HttpClient Client { get; private set; } = null!;

    [OneTimeSetUp]
    public async Task StartAsync()
    {
        Server = await TestServer.StartAsync();
        Client = Server.Client();
    }

    [OneTimeTearDown]
    public async Task StopAsync()
    {
        Client.Dispose();
        await Server.DisposeAsync();
    }
}
