namespace MqttCheck.Reports.Tests.Browser;

/// <summary>A browser for all tests of a fixture, and a folder for the pages that it opens.</summary>
public abstract class BrowserFixture
{
    private protected TestBrowser Browser { get; private set; } = null!;

    private protected string Folder { get; private set; } = "";

    [OneTimeSetUp]
    public async Task StartBrowserAsync()
    {
        Folder = Directory.CreateTempSubdirectory("mqttcheck-report-").FullName;
        Browser = await TestBrowser.StartAsync();
    }

    [OneTimeTearDown]
    public async Task StopBrowserAsync()
    {
        if (Browser is not null)
            await Browser.DisposeAsync();
        if (Folder.Length > 0)
            Directory.Delete(Folder, recursive: true);
    }

    /// <summary>Writes a page into the folder.</summary>
    /// <returns>Its path.</returns>
    private protected string Write(string page)
    {
        var file = Path.Combine(Folder, $"{Guid.NewGuid():N}.html");
        File.WriteAllText(file, page);
        return file;
    }
}
