using MqttCheck.Brokers.Processes;
using MqttCheck.Testing;
using NUnit.Framework;

namespace MqttCheck.NUnit;

/// <summary>
/// A fixture with a broker that is started before its first test and stopped after its last. Derive from it, once per
/// broker with <c>[TestFixture("embedded")]</c>, <c>[TestFixture("mosquitto", Category = "mosquitto")]</c> and a
/// constructor that passes the argument on.
/// </summary>
/// <remarks>
/// Measured runs take turns within a process; test projects that measure must not run side by side either: <c>dotnet
/// test -m:1</c>.
/// </remarks>
[Category("mqttcheck")]
public abstract class BrokerFixture
{
    private readonly string _specification;
    private IBrokerUnderTest? _broker;

    /// <summary>A fixture with a broker.</summary>
    /// <param name="specification">Which one: see <see cref="TestBroker.StartAsync"/>.</param>
    protected BrokerFixture(string specification) => _specification = specification;

    /// <summary>The broker, while tests run.</summary>
    protected IBrokerUnderTest Broker =>
        _broker
        ?? throw new InvalidOperationException(
            "The broker runs from the first test of the fixture to its last, not in its constructor."
        );

    /// <summary>How the broker is started; by default as the environment says.</summary>
    protected virtual TestBrokerOptions BrokerOptions => TestBrokerOptions.FromEnvironment();

    /// <summary>
    /// Starts or reaches a broker as <see cref="TestBroker.StartAsync"/> does, for fixtures of other ancestry. Where it
    /// is missing the test is ignored with what to do about it; with environment variable <c>CI=true</c> it fails:
    /// there, a test that never runs must not go unnoticed.
    /// </summary>
    /// <param name="specification">Which one: see <see cref="TestBroker.StartAsync"/>.</param>
    /// <param name="options">How; by default as the environment says.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <exception cref="InputException">
    /// The specification is unknown, or the broker is on another machine and that is not allowed.
    /// </exception>
    /// <exception cref="BrokerException">It does not start, does not answer, or refuses the credentials.</exception>
    public static async Task<IBrokerUnderTest> StartAsync(
        string specification,
        TestBrokerOptions? options = null,
        CancellationToken cancellation = default
    )
    {
        if (TestBroker.VariableOf(specification) is { } variable)
            NUnitHost.AddVariable(variable);
        try
        {
            return await TestBroker.StartAsync(specification, options, cancellation);
        }
        catch (BrokerException exception) when (exception.IsMissing)
        {
            if (Environment.GetEnvironmentVariable("CI") == "true")
                Assert.Fail(exception.Message);
            Assert.Ignore(exception.Message);
            throw;
        }
    }

    /// <summary>Starts the broker. Called by NUnit.</summary>
    [OneTimeSetUp]
    public async Task StartBrokerAsync() => _broker = await StartAsync(_specification, BrokerOptions);

    /// <summary>Stops the broker. Called by NUnit.</summary>
    [OneTimeTearDown]
    public async Task StopBrokerAsync()
    {
        if (_broker is not null)
            await _broker.DisposeAsync();
        _broker = null;
    }
}
