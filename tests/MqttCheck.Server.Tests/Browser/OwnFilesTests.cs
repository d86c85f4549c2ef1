using Microsoft.Playwright;

namespace MqttCheck.Server.Tests.Browser;

/// <summary>Files of one's own: a log is learned from, and a topology is predicted.</summary>
[TestFixture]
internal sealed class OwnFilesTests : PageFixture
{
    [Test]
    [Category("Whole")]
    public async Task A_log_that_is_chosen_becomes_the_model_of_the_answer()
    {
        var page = await OpenAsync(SharedPage.FewClients);
        await page.Locator("#learn summary").ClickAsync();
        await page.Locator("#log").SetInputFilesAsync((FilePayload[])[Log(), Information()]);
        await page.Locator("#learned", new() { HasText = "mqttcheck learn " }).WaitForAsync();
        Assert.That(await page.Locator("#model").InputValueAsync(), Does.StartWith("log-"));
        await PageBrowser.AnsweredAsync(page);
    }

    [Test]
    [Category("Whole")]
    public async Task A_file_that_is_dropped_and_is_no_log_is_refused_with_a_reason()
    {
        Provoked = "400";
        var page = await OpenAsync(SharedPage.FewClients);
        await page.EvaluateAsync(
            """
            () => {
              const data = new DataTransfer();
              data.items.add(new File(["x"], "notes.csv"));
              document.getElementById("ask").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
            }
            """
        );
        await page.Locator("#learned", new() { HasText = "not an exchange log" }).WaitForAsync();
    }

    [Test]
    [Category("Whole")]
    public async Task A_topology_file_is_predicted_with_its_own_faults_and_properties()
    {
        var page = await OpenAsync(SharedPage.FewClients);
        await page.Locator("#cluster-source summary").ClickAsync();
        await page.Locator("#topology-file")
            .SetInputFilesAsync(RepositoryFiles.At("profiles/clusters/transport-capacity.json"));
        await page.WaitForFunctionAsync("() => document.getElementById('topology').value !== ''");
        foreach (var field in (string[])["#faults", "#properties"])
            await page.Locator(field).FillAsync("");
        await page.Locator("#ask-cluster").ClickAsync();
        await page.Locator("#cluster-status", new() { HasText = "Simulated." }).WaitForAsync();
        Assert.That(
            await page.Locator("#cluster-command").InnerTextAsync(),
            Does.Match(@"^mqttcheck cluster predict \S+topologies/transport-capacity-[0-9a-f]{12}\.json --replications")
        );
    }

    private static FilePayload Log() =>
        new()
        {
            Name = "plant.csv",
            MimeType = "text/csv",
            Buffer = SampleLog.Bytes(),
        };

    private static FilePayload Information() =>
        new()
        {
            Name = "plant.run.json",
            MimeType = "application/json",
            Buffer = File.ReadAllBytes(SampleLog.Information),
        };
}
