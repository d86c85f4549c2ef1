namespace MqttCheck.AcceptanceTests;

/// <summary>
/// Tests of installed brokers are skipped where the broker is missing, and fail in CI, where it must not be.
/// </summary>
internal static class Installed
{
    public static void RequireMosquitto()
    {
        if (
            File.Exists("/usr/sbin/mosquitto")
            || (Environment.GetEnvironmentVariable("PATH") ?? "")
                .Split(Path.PathSeparator)
                .Any(folder => File.Exists(Path.Combine(folder, "mosquitto")))
        )
            return;
        const string message =
            "mosquitto is not installed; install it: apt-get install "
            + "mosquitto (Debian, Ubuntu), brew install mosquitto (macOS).";
        if (Environment.GetEnvironmentVariable("CI") == "true")
            Assert.Fail(message);
        Assert.Ignore(message);
    }
}
