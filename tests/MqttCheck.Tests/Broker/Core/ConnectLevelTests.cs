using MqttCheck.Broker.Core;

namespace MqttCheck.Tests.Broker.Core;

/// <summary>The level is found wherever the bytes of a CONNECT reach that far.</summary>
public sealed class ConnectLevelTests
{
    [TestCase("1007 0004 4D515454 05", 5)]
    [TestCase("1007 0004 4D515454 04", 4)]
    [TestCase("1007 0004 4D515454 06 FF", 6)]
    [TestCase("108700 0004 4D515454 05", 5)]
    [TestCase("1087808000 0004 4D515454 05", 5)]
    public void Of_MQTT_it_is_found(string hex, int level) => Assert.That((int?)Peek(hex), Is.EqualTo(level));

    [TestCase("")]
    [TestCase("10")]
    [TestCase("1000")]
    [TestCase("10808080")]
    [TestCase("1000 00")]
    [TestCase("1002 0004")]
    [TestCase("1006 0004 4D515454")]
    [TestCase("1003 0000 05")]
    [TestCase("1007 0004 4D515455 05")]
    [TestCase("1009 0006 4D5149736470 03")]
    public void Of_another_protocol_or_of_too_few_bytes_there_is_none(string hex) => Assert.That(Peek(hex), Is.Null);

    private static byte? Peek(string hex) =>
        ConnectLevel.Peek(Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal)));
}
