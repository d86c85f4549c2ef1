namespace MqttCheck.Server.Tests;

/// <summary>A server for each test.</summary>
internal abstract class FreshServerFixture
{
    protected TestServer Server { get; private set; } = null!;

    protected HttpClient Client { get; private set; } = null!;

    [SetUp]
    public async Task StartAsync()
    {
        Server = await TestServer.StartAsync();
        Client = Server.Client();
    }

    [TearDown]
    public async Task StopAsync()
    {
        Client.Dispose();
        await Server.DisposeAsync();
    }
}
