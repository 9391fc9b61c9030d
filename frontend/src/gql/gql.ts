/* eslint-disable */
import * as types from './graphql';



/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  query Agents($first: Int, $after: String, $filter: AgentFilter) {\n    agents(first: $first, after: $after, filter: $filter) {\n      nodes {\n        id\n        name\n        description\n        state\n        hasUnpublishedChanges\n        lastUsedAt\n        publishedVersion {\n          number\n        }\n        model {\n          name\n          label\n        }\n        exports {\n          id\n          version\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": typeof types.AgentsDocument,
    "\n  query Models {\n    models {\n      name\n      label\n      provider\n      creditsPerMessage\n      available\n      contextWindow\n      sandbox\n    }\n  }\n": typeof types.ModelsDocument,
    "\n  mutation CreateAgent($input: CreateAgentInput!) {\n    createAgent(input: $input) {\n      agent {\n        id\n        name\n      }\n    }\n  }\n": typeof types.CreateAgentDocument,
    "\n  query Agent($id: ID!) {\n    agent(id: $id) {\n      id\n      name\n      description\n      instructions\n      temperature\n      maxOutputTokens\n      contextTurns\n      variables {\n        name\n        description\n        required\n        defaultValue\n      }\n      state\n      missing\n      hasUnpublishedChanges\n      updatedAt\n      lastUsedAt\n      publishedVersion {\n        number\n      }\n      model {\n        name\n        label\n        creditsPerMessage\n        available\n        sandbox\n      }\n      exports {\n        id\n        version\n      }\n    }\n  }\n": typeof types.AgentDocument,
    "\n  mutation UpdateAgent($input: UpdateAgentInput!) {\n    updateAgent(input: $input) {\n      agent {\n        id\n        name\n        description\n        instructions\n        temperature\n        maxOutputTokens\n        contextTurns\n        variables {\n          name\n          description\n          required\n          defaultValue\n        }\n        state\n        missing\n        hasUnpublishedChanges\n        updatedAt\n        lastUsedAt\n        publishedVersion {\n          number\n        }\n        model {\n          name\n          label\n          creditsPerMessage\n          available\n          sandbox\n        }\n        exports {\n          id\n          version\n        }\n      }\n    }\n  }\n": typeof types.UpdateAgentDocument,
    "\n  mutation ReopenAgent($input: ReopenAgentInput!) {\n    reopenAgent(input: $input) {\n      agent {\n        id\n      }\n    }\n  }\n": typeof types.ReopenAgentDocument,
    "\n  mutation DeleteAgent($input: DeleteAgentInput!) {\n    deleteAgent(input: $input) {\n      id\n    }\n  }\n": typeof types.DeleteAgentDocument,
    "\n  mutation SignIn($input: SignInInput!) {\n    signIn(input: $input) {\n      accessToken\n      expiresAt\n    }\n  }\n": typeof types.SignInDocument,
    "\n  mutation SignUp($input: SignUpInput!) {\n    signUp(input: $input) {\n      accessToken\n      expiresAt\n    }\n  }\n": typeof types.SignUpDocument,
    "\n  mutation SignOut {\n    signOut {\n      ok\n    }\n  }\n": typeof types.SignOutDocument,
    "\n  query Viewer {\n    viewer {\n      id\n      email\n      name\n      creditBalance\n      creditsHeld\n      creditsAvailable\n    }\n  }\n": typeof types.ViewerDocument,
    "\n  query ServiceInfo {\n    serviceInfo {\n      version\n      baseUrl\n      signUpOpen\n      creditsHelp\n      supportContact\n    }\n  }\n": typeof types.ServiceInfoDocument,
    "\n  query AgentChoices($after: String) {\n    agents(first: 100, after: $after) {\n      nodes {\n        id\n        name\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.AgentChoicesDocument,
    "\n  query ExportChoices($agentId: ID, $after: String) {\n    viewer {\n      id\n      exports(first: 100, after: $after, filter: { agentId: $agentId }) {\n        nodes {\n          id\n          name\n          state\n          agent {\n            id\n            name\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.ExportChoicesDocument,
    "\n  query AgentConversations($id: ID!, $first: Int, $after: String, $filter: ConversationFilter) {\n    agent(id: $id) {\n      id\n      name\n      conversations(first: $first, after: $after, filter: $filter) {\n        searchedTo\n        nodes {\n          id\n          sessionId\n          source\n          userId\n          preview\n          turnCount\n          failedTurns\n          credits\n          lastTurnAt\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.AgentConversationsDocument,
    "\n  query Conversations($first: Int, $after: String, $filter: ConversationFilter) {\n    viewer {\n      id\n      conversations(first: $first, after: $after, filter: $filter) {\n        searchedTo\n        nodes {\n          id\n          sessionId\n          source\n          userId\n          preview\n          turnCount\n          failedTurns\n          credits\n          lastTurnAt\n          agent {\n            id\n            name\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.ConversationsDocument,
    "\n  query Transcript($id: ID!, $last: Int!, $before: String) {\n    conversation(id: $id) {\n      id\n      sessionId\n      source\n      userId\n      turnCount\n      failedTurns\n      credits\n      createdAt\n      lastTurnAt\n      agent {\n        id\n        name\n      }\n      turns(last: $last, before: $before) {\n        nodes {\n          id\n          number\n          message\n          reply\n          state\n          errorCode\n          finishReason\n          requestId\n          version\n          userId\n          variables {\n            name\n            value\n          }\n          source\n          model\n          credits\n          inputTokens\n          outputTokens\n          createdAt\n          waitedMs\n          firstTextMs\n          durationMs\n          export {\n            id\n            name\n          }\n        }\n        pageInfo {\n          hasPreviousPage\n          startCursor\n        }\n      }\n    }\n  }\n": typeof types.TranscriptDocument,
    "\n  mutation DeleteConversation($input: DeleteConversationInput!) {\n    deleteConversation(input: $input) {\n      id\n    }\n  }\n": typeof types.DeleteConversationDocument,
    "\n  mutation DeleteConversations($input: DeleteConversationsInput!) {\n    deleteConversations(input: $input) {\n      deletedCount\n    }\n  }\n": typeof types.DeleteConversationsDocument,
    "\n  query CreditHistory($first: Int, $after: String, $filter: CreditFilter) {\n    viewer {\n      id\n      createdAt\n      creditHistory(first: $first, after: $after, filter: $filter) {\n        nodes {\n          id\n          kind\n          amount\n          balanceAfter\n          createdAt\n          note\n          agentName\n          exportName\n          agent {\n            id\n            name\n          }\n          export {\n            id\n            name\n          }\n          turn {\n            id\n            conversationId\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.CreditHistoryDocument,
    "\n  query CreditUsage($from: DateTime!, $to: DateTime!, $timeZone: String) {\n    viewer {\n      id\n      creditUsage(from: $from, to: $to, by: DAY, timeZone: $timeZone) {\n        start\n        credits\n        messages\n      }\n    }\n  }\n": typeof types.CreditUsageDocument,
    "\n  query EndUsers($agentId: ID!, $first: Int, $after: String, $filter: EndUserFilter) {\n    agent(id: $agentId) {\n      id\n      name\n    }\n    viewer {\n      id\n      endUsers(first: $first, after: $after, filter: $filter) {\n        nodes {\n          userId\n          lastSeenAt\n          messages\n          credits\n          conversations\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.EndUsersDocument,
    "\n  mutation DeleteEndUser($input: DeleteEndUserInput!) {\n    deleteEndUser(input: $input) {\n      deletedCount\n    }\n  }\n": typeof types.DeleteEndUserDocument,
    "\n  query AgentExports($id: ID!) {\n    agent(id: $id) {\n      id\n      publishedVersion {\n        number\n        variables {\n          name\n          required\n        }\n        model {\n          name\n          creditsPerMessage\n        }\n      }\n      exports(includeRemoved: true) {\n        id\n        name\n        state\n        createdAt\n        removedAt\n        expiresAt\n        lastUsedAt\n        rateLimitPerMinute\n        version\n        dailyCreditLimit\n        monthlyCreditLimit\n        creditsUsedToday\n        creditsUsedThisMonth\n        requireUserId\n        userDailyMessageLimit\n        keys {\n          id\n          hint\n        }\n      }\n    }\n  }\n": typeof types.AgentExportsDocument,
    "\n  query AccountExports($first: Int, $after: String, $filter: ExportFilter) {\n    viewer {\n      id\n      exports(first: $first, after: $after, filter: $filter) {\n        nodes {\n          id\n          name\n          state\n          createdAt\n          removedAt\n          lastUsedAt\n          expiresAt\n          rateLimitPerMinute\n          version\n          dailyCreditLimit\n          monthlyCreditLimit\n          creditsUsedToday\n          creditsUsedThisMonth\n          keys {\n            id\n            hint\n          }\n          agent {\n            id\n            name\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.AccountExportsDocument,
    "\n  mutation CreateApiExport($input: CreateApiExportInput!) {\n    createApiExport(input: $input) {\n      apiKey\n      export {\n        id\n        name\n      }\n    }\n  }\n": typeof types.CreateApiExportDocument,
    "\n  mutation UpdateApiExport($input: UpdateApiExportInput!) {\n    updateApiExport(input: $input) {\n      export {\n        id\n        name\n        state\n        rateLimitPerMinute\n        version\n        expiresAt\n        dailyCreditLimit\n        monthlyCreditLimit\n        creditsUsedToday\n        creditsUsedThisMonth\n        requireUserId\n        userDailyMessageLimit\n      }\n    }\n  }\n": typeof types.UpdateApiExportDocument,
    "\n  mutation PauseApiExport($input: PauseApiExportInput!) {\n    pauseApiExport(input: $input) {\n      export {\n        id\n        state\n      }\n    }\n  }\n": typeof types.PauseApiExportDocument,
    "\n  mutation ResumeApiExport($input: ResumeApiExportInput!) {\n    resumeApiExport(input: $input) {\n      export {\n        id\n        state\n      }\n    }\n  }\n": typeof types.ResumeApiExportDocument,
    "\n  mutation RemoveApiExport($input: RemoveApiExportInput!) {\n    removeApiExport(input: $input) {\n      export {\n        id\n        state\n        removedAt\n      }\n    }\n  }\n": typeof types.RemoveApiExportDocument,
    "\n  query Home {\n    agents(first: 5) {\n      nodes {\n        id\n        name\n        state\n        hasUnpublishedChanges\n        lastUsedAt\n        publishedVersion {\n          number\n        }\n        model {\n          label\n        }\n      }\n      totalCount\n    }\n    viewer {\n      id\n      conversations(first: 5) {\n        nodes {\n          id\n          sessionId\n          source\n          turnCount\n          lastTurnAt\n          agent {\n            id\n            name\n          }\n        }\n      }\n      exports(first: 1) {\n        nodes {\n          id\n        }\n      }\n      charges: creditHistory(first: 1, filter: { kind: CHARGE }) {\n        nodes {\n          id\n        }\n      }\n    }\n  }\n": typeof types.HomeDocument,
    "\n  mutation CreateStarter($input: CreateAgentInput!) {\n    createAgent(input: $input) {\n      agent {\n        id\n        name\n      }\n    }\n  }\n": typeof types.CreateStarterDocument,
    "\n  fragment SentTurn on Turn {\n    id\n    reply\n    state\n    version\n    errorCode\n    finishReason\n    requestId\n    model\n    credits\n    durationMs\n  }\n": typeof types.SentTurnFragmentDoc,
    "\n  subscription PlaygroundFollow($input: SendTestMessageInput!) {\n    testMessage(input: $input) {\n      __typename\n      ... on TestMessageStarted {\n        turnId\n      }\n      ... on TestMessageDelta {\n        text\n      }\n      ... on TestMessageEnded {\n        conversation {\n          id\n        }\n        turn {\n          ...SentTurn\n        }\n      }\n      ... on TestMessageFailed {\n        conversation {\n          id\n        }\n        turn {\n          ...SentTurn\n        }\n      }\n    }\n  }\n": typeof types.PlaygroundFollowDocument,
    "\n  query PlaygroundLatestTurn($agentId: ID!, $sessionId: String!) {\n    agent(id: $agentId) {\n      id\n      conversations(first: 1, filter: { sessionId: $sessionId, source: PLAYGROUND }) {\n        nodes {\n          id\n          turns(last: 1) {\n            nodes {\n              message\n              ...SentTurn\n            }\n          }\n        }\n      }\n    }\n  }\n": typeof types.PlaygroundLatestTurnDocument,
    "\n  query PlaygroundKept($agentId: ID!, $sessionId: String!, $last: Int!) {\n    agent(id: $agentId) {\n      id\n      conversations(first: 1, filter: { sessionId: $sessionId, source: PLAYGROUND }) {\n        nodes {\n          id\n          turns(last: $last) {\n            nodes {\n              message\n              userId\n              variables {\n                name\n                value\n              }\n              ...SentTurn\n            }\n          }\n        }\n      }\n    }\n  }\n": typeof types.PlaygroundKeptDocument,
    "\n  query Requests($first: Int, $after: String, $filter: RequestFilter) {\n    viewer {\n      id\n      requests(first: $first, after: $after, filter: $filter) {\n        edges {\n          cursor\n          node {\n            id\n            at\n            outcome\n            status\n            code\n            agent {\n              id\n              name\n            }\n            export {\n              id\n              name\n            }\n            replayed\n            credits\n            durationMs\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.RequestsDocument,
    "\n  query Request($id: String!) {\n    request(id: $id) {\n      id\n      at\n      outcome\n      status\n      code\n      detail\n      agent {\n        id\n        name\n      }\n      export {\n        id\n        name\n      }\n      keyHint\n      clientAddress\n      sessionId\n      userId\n      model\n      streamed\n      replayed\n      credits\n      durationMs\n      waitedMs\n      modelMs\n      conversation {\n        id\n      }\n    }\n  }\n": typeof types.RequestDocument,
    "\n  query SignIns {\n    viewer {\n      id\n      signIns {\n        id\n        browser\n        address\n        createdAt\n        lastUsedAt\n        current\n      }\n    }\n  }\n": typeof types.SignInsDocument,
    "\n  mutation EndSignIn($input: EndSignInInput!) {\n    endSignIn(input: $input) {\n      id\n    }\n  }\n": typeof types.EndSignInDocument,
    "\n  mutation SignOutEverywhere {\n    signOutEverywhere {\n      ok\n    }\n  }\n": typeof types.SignOutEverywhereDocument,
    "\n  mutation ChangePassword($input: ChangePasswordInput!) {\n    changePassword(input: $input) {\n      account {\n        id\n      }\n    }\n  }\n": typeof types.ChangePasswordDocument,
    "\n  mutation UpdateAccount($input: UpdateAccountInput!) {\n    updateAccount(input: $input) {\n      account {\n        id\n        name\n      }\n    }\n  }\n": typeof types.UpdateAccountDocument,
    "\n  mutation DeleteAccount($input: DeleteAccountInput!) {\n    deleteAccount(input: $input) {\n      ok\n    }\n  }\n": typeof types.DeleteAccountDocument,
    "\n  query Review($id: ID!) {\n    agent(id: $id) {\n      id\n      name\n      state\n      missing\n      updatedAt\n      hasUnpublishedChanges\n      instructions\n      temperature\n      maxOutputTokens\n      contextTurns\n      variables {\n        name\n        description\n        required\n        defaultValue\n      }\n      model {\n        name\n        label\n      }\n      publishedVersion {\n        number\n        instructions\n        modelName\n        temperature\n        maxOutputTokens\n        contextTurns\n        variables {\n          name\n          description\n          required\n          defaultValue\n        }\n        model {\n          name\n          label\n        }\n      }\n      exports {\n        id\n        name\n        version\n      }\n    }\n  }\n": typeof types.ReviewDocument,
    "\n  query Versions($id: ID!, $first: Int, $after: String) {\n    agent(id: $id) {\n      id\n      versions(first: $first, after: $after) {\n        edges {\n          cursor\n          node {\n            number\n            createdAt\n            note\n            modelName\n            model {\n              name\n              label\n              creditsPerMessage\n              available\n            }\n            pinnedBy {\n              id\n              name\n            }\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.VersionsDocument,
    "\n  query VersionContent($id: ID!, $after: String) {\n    agent(id: $id) {\n      id\n      versions(first: 2, after: $after) {\n        nodes {\n          number\n          instructions\n          modelName\n          temperature\n          maxOutputTokens\n          contextTurns\n          variables {\n            name\n            description\n            required\n            defaultValue\n          }\n          model {\n            name\n            label\n          }\n        }\n      }\n    }\n  }\n": typeof types.VersionContentDocument,
    "\n  query VersionVariables($id: ID!, $after: String) {\n    agent(id: $id) {\n      id\n      versions(first: 2, after: $after) {\n        nodes {\n          number\n          variables {\n            name\n            description\n            required\n            defaultValue\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.VersionVariablesDocument,
    "\n  mutation PublishAgent($input: PublishAgentInput!) {\n    publishAgent(input: $input) {\n      version {\n        number\n      }\n    }\n  }\n": typeof types.PublishAgentDocument,
    "\n  mutation DiscardAgentChanges($input: DiscardAgentChangesInput!) {\n    discardAgentChanges(input: $input) {\n      agent {\n        id\n      }\n    }\n  }\n": typeof types.DiscardAgentChangesDocument,
    "\n  mutation RestoreAgentVersion($input: RestoreAgentVersionInput!) {\n    restoreAgentVersion(input: $input) {\n      agent {\n        id\n      }\n    }\n  }\n": typeof types.RestoreAgentVersionDocument,
    "\n  mutation RenewAccess {\n    renewAccess {\n      accessToken\n      expiresAt\n    }\n  }\n": typeof types.RenewAccessDocument,
};
const documents: Documents = {
    "\n  query Agents($first: Int, $after: String, $filter: AgentFilter) {\n    agents(first: $first, after: $after, filter: $filter) {\n      nodes {\n        id\n        name\n        description\n        state\n        hasUnpublishedChanges\n        lastUsedAt\n        publishedVersion {\n          number\n        }\n        model {\n          name\n          label\n        }\n        exports {\n          id\n          version\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": types.AgentsDocument,
    "\n  query Models {\n    models {\n      name\n      label\n      provider\n      creditsPerMessage\n      available\n      contextWindow\n      sandbox\n    }\n  }\n": types.ModelsDocument,
    "\n  mutation CreateAgent($input: CreateAgentInput!) {\n    createAgent(input: $input) {\n      agent {\n        id\n        name\n      }\n    }\n  }\n": types.CreateAgentDocument,
    "\n  query Agent($id: ID!) {\n    agent(id: $id) {\n      id\n      name\n      description\n      instructions\n      temperature\n      maxOutputTokens\n      contextTurns\n      variables {\n        name\n        description\n        required\n        defaultValue\n      }\n      state\n      missing\n      hasUnpublishedChanges\n      updatedAt\n      lastUsedAt\n      publishedVersion {\n        number\n      }\n      model {\n        name\n        label\n        creditsPerMessage\n        available\n        sandbox\n      }\n      exports {\n        id\n        version\n      }\n    }\n  }\n": types.AgentDocument,
    "\n  mutation UpdateAgent($input: UpdateAgentInput!) {\n    updateAgent(input: $input) {\n      agent {\n        id\n        name\n        description\n        instructions\n        temperature\n        maxOutputTokens\n        contextTurns\n        variables {\n          name\n          description\n          required\n          defaultValue\n        }\n        state\n        missing\n        hasUnpublishedChanges\n        updatedAt\n        lastUsedAt\n        publishedVersion {\n          number\n        }\n        model {\n          name\n          label\n          creditsPerMessage\n          available\n          sandbox\n        }\n        exports {\n          id\n          version\n        }\n      }\n    }\n  }\n": types.UpdateAgentDocument,
    "\n  mutation ReopenAgent($input: ReopenAgentInput!) {\n    reopenAgent(input: $input) {\n      agent {\n        id\n      }\n    }\n  }\n": types.ReopenAgentDocument,
    "\n  mutation DeleteAgent($input: DeleteAgentInput!) {\n    deleteAgent(input: $input) {\n      id\n    }\n  }\n": types.DeleteAgentDocument,
    "\n  mutation SignIn($input: SignInInput!) {\n    signIn(input: $input) {\n      accessToken\n      expiresAt\n    }\n  }\n": types.SignInDocument,
    "\n  mutation SignUp($input: SignUpInput!) {\n    signUp(input: $input) {\n      accessToken\n      expiresAt\n    }\n  }\n": types.SignUpDocument,
    "\n  mutation SignOut {\n    signOut {\n      ok\n    }\n  }\n": types.SignOutDocument,
    "\n  query Viewer {\n    viewer {\n      id\n      email\n      name\n      creditBalance\n      creditsHeld\n      creditsAvailable\n    }\n  }\n": types.ViewerDocument,
    "\n  query ServiceInfo {\n    serviceInfo {\n      version\n      baseUrl\n      signUpOpen\n      creditsHelp\n      supportContact\n    }\n  }\n": types.ServiceInfoDocument,
    "\n  query AgentChoices($after: String) {\n    agents(first: 100, after: $after) {\n      nodes {\n        id\n        name\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.AgentChoicesDocument,
    "\n  query ExportChoices($agentId: ID, $after: String) {\n    viewer {\n      id\n      exports(first: 100, after: $after, filter: { agentId: $agentId }) {\n        nodes {\n          id\n          name\n          state\n          agent {\n            id\n            name\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.ExportChoicesDocument,
    "\n  query AgentConversations($id: ID!, $first: Int, $after: String, $filter: ConversationFilter) {\n    agent(id: $id) {\n      id\n      name\n      conversations(first: $first, after: $after, filter: $filter) {\n        searchedTo\n        nodes {\n          id\n          sessionId\n          source\n          userId\n          preview\n          turnCount\n          failedTurns\n          credits\n          lastTurnAt\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.AgentConversationsDocument,
    "\n  query Conversations($first: Int, $after: String, $filter: ConversationFilter) {\n    viewer {\n      id\n      conversations(first: $first, after: $after, filter: $filter) {\n        searchedTo\n        nodes {\n          id\n          sessionId\n          source\n          userId\n          preview\n          turnCount\n          failedTurns\n          credits\n          lastTurnAt\n          agent {\n            id\n            name\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.ConversationsDocument,
    "\n  query Transcript($id: ID!, $last: Int!, $before: String) {\n    conversation(id: $id) {\n      id\n      sessionId\n      source\n      userId\n      turnCount\n      failedTurns\n      credits\n      createdAt\n      lastTurnAt\n      agent {\n        id\n        name\n      }\n      turns(last: $last, before: $before) {\n        nodes {\n          id\n          number\n          message\n          reply\n          state\n          errorCode\n          finishReason\n          requestId\n          version\n          userId\n          variables {\n            name\n            value\n          }\n          source\n          model\n          credits\n          inputTokens\n          outputTokens\n          createdAt\n          waitedMs\n          firstTextMs\n          durationMs\n          export {\n            id\n            name\n          }\n        }\n        pageInfo {\n          hasPreviousPage\n          startCursor\n        }\n      }\n    }\n  }\n": types.TranscriptDocument,
    "\n  mutation DeleteConversation($input: DeleteConversationInput!) {\n    deleteConversation(input: $input) {\n      id\n    }\n  }\n": types.DeleteConversationDocument,
    "\n  mutation DeleteConversations($input: DeleteConversationsInput!) {\n    deleteConversations(input: $input) {\n      deletedCount\n    }\n  }\n": types.DeleteConversationsDocument,
    "\n  query CreditHistory($first: Int, $after: String, $filter: CreditFilter) {\n    viewer {\n      id\n      createdAt\n      creditHistory(first: $first, after: $after, filter: $filter) {\n        nodes {\n          id\n          kind\n          amount\n          balanceAfter\n          createdAt\n          note\n          agentName\n          exportName\n          agent {\n            id\n            name\n          }\n          export {\n            id\n            name\n          }\n          turn {\n            id\n            conversationId\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.CreditHistoryDocument,
    "\n  query CreditUsage($from: DateTime!, $to: DateTime!, $timeZone: String) {\n    viewer {\n      id\n      creditUsage(from: $from, to: $to, by: DAY, timeZone: $timeZone) {\n        start\n        credits\n        messages\n      }\n    }\n  }\n": types.CreditUsageDocument,
    "\n  query EndUsers($agentId: ID!, $first: Int, $after: String, $filter: EndUserFilter) {\n    agent(id: $agentId) {\n      id\n      name\n    }\n    viewer {\n      id\n      endUsers(first: $first, after: $after, filter: $filter) {\n        nodes {\n          userId\n          lastSeenAt\n          messages\n          credits\n          conversations\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.EndUsersDocument,
    "\n  mutation DeleteEndUser($input: DeleteEndUserInput!) {\n    deleteEndUser(input: $input) {\n      deletedCount\n    }\n  }\n": types.DeleteEndUserDocument,
    "\n  query AgentExports($id: ID!) {\n    agent(id: $id) {\n      id\n      publishedVersion {\n        number\n        variables {\n          name\n          required\n        }\n        model {\n          name\n          creditsPerMessage\n        }\n      }\n      exports(includeRemoved: true) {\n        id\n        name\n        state\n        createdAt\n        removedAt\n        expiresAt\n        lastUsedAt\n        rateLimitPerMinute\n        version\n        dailyCreditLimit\n        monthlyCreditLimit\n        creditsUsedToday\n        creditsUsedThisMonth\n        requireUserId\n        userDailyMessageLimit\n        keys {\n          id\n          hint\n        }\n      }\n    }\n  }\n": types.AgentExportsDocument,
    "\n  query AccountExports($first: Int, $after: String, $filter: ExportFilter) {\n    viewer {\n      id\n      exports(first: $first, after: $after, filter: $filter) {\n        nodes {\n          id\n          name\n          state\n          createdAt\n          removedAt\n          lastUsedAt\n          expiresAt\n          rateLimitPerMinute\n          version\n          dailyCreditLimit\n          monthlyCreditLimit\n          creditsUsedToday\n          creditsUsedThisMonth\n          keys {\n            id\n            hint\n          }\n          agent {\n            id\n            name\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.AccountExportsDocument,
    "\n  mutation CreateApiExport($input: CreateApiExportInput!) {\n    createApiExport(input: $input) {\n      apiKey\n      export {\n        id\n        name\n      }\n    }\n  }\n": types.CreateApiExportDocument,
    "\n  mutation UpdateApiExport($input: UpdateApiExportInput!) {\n    updateApiExport(input: $input) {\n      export {\n        id\n        name\n        state\n        rateLimitPerMinute\n        version\n        expiresAt\n        dailyCreditLimit\n        monthlyCreditLimit\n        creditsUsedToday\n        creditsUsedThisMonth\n        requireUserId\n        userDailyMessageLimit\n      }\n    }\n  }\n": types.UpdateApiExportDocument,
    "\n  mutation PauseApiExport($input: PauseApiExportInput!) {\n    pauseApiExport(input: $input) {\n      export {\n        id\n        state\n      }\n    }\n  }\n": types.PauseApiExportDocument,
    "\n  mutation ResumeApiExport($input: ResumeApiExportInput!) {\n    resumeApiExport(input: $input) {\n      export {\n        id\n        state\n      }\n    }\n  }\n": types.ResumeApiExportDocument,
    "\n  mutation RemoveApiExport($input: RemoveApiExportInput!) {\n    removeApiExport(input: $input) {\n      export {\n        id\n        state\n        removedAt\n      }\n    }\n  }\n": types.RemoveApiExportDocument,
    "\n  query Home {\n    agents(first: 5) {\n      nodes {\n        id\n        name\n        state\n        hasUnpublishedChanges\n        lastUsedAt\n        publishedVersion {\n          number\n        }\n        model {\n          label\n        }\n      }\n      totalCount\n    }\n    viewer {\n      id\n      conversations(first: 5) {\n        nodes {\n          id\n          sessionId\n          source\n          turnCount\n          lastTurnAt\n          agent {\n            id\n            name\n          }\n        }\n      }\n      exports(first: 1) {\n        nodes {\n          id\n        }\n      }\n      charges: creditHistory(first: 1, filter: { kind: CHARGE }) {\n        nodes {\n          id\n        }\n      }\n    }\n  }\n": types.HomeDocument,
    "\n  mutation CreateStarter($input: CreateAgentInput!) {\n    createAgent(input: $input) {\n      agent {\n        id\n        name\n      }\n    }\n  }\n": types.CreateStarterDocument,
    "\n  fragment SentTurn on Turn {\n    id\n    reply\n    state\n    version\n    errorCode\n    finishReason\n    requestId\n    model\n    credits\n    durationMs\n  }\n": types.SentTurnFragmentDoc,
    "\n  subscription PlaygroundFollow($input: SendTestMessageInput!) {\n    testMessage(input: $input) {\n      __typename\n      ... on TestMessageStarted {\n        turnId\n      }\n      ... on TestMessageDelta {\n        text\n      }\n      ... on TestMessageEnded {\n        conversation {\n          id\n        }\n        turn {\n          ...SentTurn\n        }\n      }\n      ... on TestMessageFailed {\n        conversation {\n          id\n        }\n        turn {\n          ...SentTurn\n        }\n      }\n    }\n  }\n": types.PlaygroundFollowDocument,
    "\n  query PlaygroundLatestTurn($agentId: ID!, $sessionId: String!) {\n    agent(id: $agentId) {\n      id\n      conversations(first: 1, filter: { sessionId: $sessionId, source: PLAYGROUND }) {\n        nodes {\n          id\n          turns(last: 1) {\n            nodes {\n              message\n              ...SentTurn\n            }\n          }\n        }\n      }\n    }\n  }\n": types.PlaygroundLatestTurnDocument,
    "\n  query PlaygroundKept($agentId: ID!, $sessionId: String!, $last: Int!) {\n    agent(id: $agentId) {\n      id\n      conversations(first: 1, filter: { sessionId: $sessionId, source: PLAYGROUND }) {\n        nodes {\n          id\n          turns(last: $last) {\n            nodes {\n              message\n              userId\n              variables {\n                name\n                value\n              }\n              ...SentTurn\n            }\n          }\n        }\n      }\n    }\n  }\n": types.PlaygroundKeptDocument,
    "\n  query Requests($first: Int, $after: String, $filter: RequestFilter) {\n    viewer {\n      id\n      requests(first: $first, after: $after, filter: $filter) {\n        edges {\n          cursor\n          node {\n            id\n            at\n            outcome\n            status\n            code\n            agent {\n              id\n              name\n            }\n            export {\n              id\n              name\n            }\n            replayed\n            credits\n            durationMs\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.RequestsDocument,
    "\n  query Request($id: String!) {\n    request(id: $id) {\n      id\n      at\n      outcome\n      status\n      code\n      detail\n      agent {\n        id\n        name\n      }\n      export {\n        id\n        name\n      }\n      keyHint\n      clientAddress\n      sessionId\n      userId\n      model\n      streamed\n      replayed\n      credits\n      durationMs\n      waitedMs\n      modelMs\n      conversation {\n        id\n      }\n    }\n  }\n": types.RequestDocument,
    "\n  query SignIns {\n    viewer {\n      id\n      signIns {\n        id\n        browser\n        address\n        createdAt\n        lastUsedAt\n        current\n      }\n    }\n  }\n": types.SignInsDocument,
    "\n  mutation EndSignIn($input: EndSignInInput!) {\n    endSignIn(input: $input) {\n      id\n    }\n  }\n": types.EndSignInDocument,
    "\n  mutation SignOutEverywhere {\n    signOutEverywhere {\n      ok\n    }\n  }\n": types.SignOutEverywhereDocument,
    "\n  mutation ChangePassword($input: ChangePasswordInput!) {\n    changePassword(input: $input) {\n      account {\n        id\n      }\n    }\n  }\n": types.ChangePasswordDocument,
    "\n  mutation UpdateAccount($input: UpdateAccountInput!) {\n    updateAccount(input: $input) {\n      account {\n        id\n        name\n      }\n    }\n  }\n": types.UpdateAccountDocument,
    "\n  mutation DeleteAccount($input: DeleteAccountInput!) {\n    deleteAccount(input: $input) {\n      ok\n    }\n  }\n": types.DeleteAccountDocument,
    "\n  query Review($id: ID!) {\n    agent(id: $id) {\n      id\n      name\n      state\n      missing\n      updatedAt\n      hasUnpublishedChanges\n      instructions\n      temperature\n      maxOutputTokens\n      contextTurns\n      variables {\n        name\n        description\n        required\n        defaultValue\n      }\n      model {\n        name\n        label\n      }\n      publishedVersion {\n        number\n        instructions\n        modelName\n        temperature\n        maxOutputTokens\n        contextTurns\n        variables {\n          name\n          description\n          required\n          defaultValue\n        }\n        model {\n          name\n          label\n        }\n      }\n      exports {\n        id\n        name\n        version\n      }\n    }\n  }\n": types.ReviewDocument,
    "\n  query Versions($id: ID!, $first: Int, $after: String) {\n    agent(id: $id) {\n      id\n      versions(first: $first, after: $after) {\n        edges {\n          cursor\n          node {\n            number\n            createdAt\n            note\n            modelName\n            model {\n              name\n              label\n              creditsPerMessage\n              available\n            }\n            pinnedBy {\n              id\n              name\n            }\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.VersionsDocument,
    "\n  query VersionContent($id: ID!, $after: String) {\n    agent(id: $id) {\n      id\n      versions(first: 2, after: $after) {\n        nodes {\n          number\n          instructions\n          modelName\n          temperature\n          maxOutputTokens\n          contextTurns\n          variables {\n            name\n            description\n            required\n            defaultValue\n          }\n          model {\n            name\n            label\n          }\n        }\n      }\n    }\n  }\n": types.VersionContentDocument,
    "\n  query VersionVariables($id: ID!, $after: String) {\n    agent(id: $id) {\n      id\n      versions(first: 2, after: $after) {\n        nodes {\n          number\n          variables {\n            name\n            description\n            required\n            defaultValue\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.VersionVariablesDocument,
    "\n  mutation PublishAgent($input: PublishAgentInput!) {\n    publishAgent(input: $input) {\n      version {\n        number\n      }\n    }\n  }\n": types.PublishAgentDocument,
    "\n  mutation DiscardAgentChanges($input: DiscardAgentChangesInput!) {\n    discardAgentChanges(input: $input) {\n      agent {\n        id\n      }\n    }\n  }\n": types.DiscardAgentChangesDocument,
    "\n  mutation RestoreAgentVersion($input: RestoreAgentVersionInput!) {\n    restoreAgentVersion(input: $input) {\n      agent {\n        id\n      }\n    }\n  }\n": types.RestoreAgentVersionDocument,
    "\n  mutation RenewAccess {\n    renewAccess {\n      accessToken\n      expiresAt\n    }\n  }\n": types.RenewAccessDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Agents($first: Int, $after: String, $filter: AgentFilter) {\n    agents(first: $first, after: $after, filter: $filter) {\n      nodes {\n        id\n        name\n        description\n        state\n        hasUnpublishedChanges\n        lastUsedAt\n        publishedVersion {\n          number\n        }\n        model {\n          name\n          label\n        }\n        exports {\n          id\n          version\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"): typeof import('./graphql').AgentsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Models {\n    models {\n      name\n      label\n      provider\n      creditsPerMessage\n      available\n      contextWindow\n      sandbox\n    }\n  }\n"): typeof import('./graphql').ModelsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateAgent($input: CreateAgentInput!) {\n    createAgent(input: $input) {\n      agent {\n        id\n        name\n      }\n    }\n  }\n"): typeof import('./graphql').CreateAgentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Agent($id: ID!) {\n    agent(id: $id) {\n      id\n      name\n      description\n      instructions\n      temperature\n      maxOutputTokens\n      contextTurns\n      variables {\n        name\n        description\n        required\n        defaultValue\n      }\n      state\n      missing\n      hasUnpublishedChanges\n      updatedAt\n      lastUsedAt\n      publishedVersion {\n        number\n      }\n      model {\n        name\n        label\n        creditsPerMessage\n        available\n        sandbox\n      }\n      exports {\n        id\n        version\n      }\n    }\n  }\n"): typeof import('./graphql').AgentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateAgent($input: UpdateAgentInput!) {\n    updateAgent(input: $input) {\n      agent {\n        id\n        name\n        description\n        instructions\n        temperature\n        maxOutputTokens\n        contextTurns\n        variables {\n          name\n          description\n          required\n          defaultValue\n        }\n        state\n        missing\n        hasUnpublishedChanges\n        updatedAt\n        lastUsedAt\n        publishedVersion {\n          number\n        }\n        model {\n          name\n          label\n          creditsPerMessage\n          available\n          sandbox\n        }\n        exports {\n          id\n          version\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').UpdateAgentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ReopenAgent($input: ReopenAgentInput!) {\n    reopenAgent(input: $input) {\n      agent {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql').ReopenAgentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteAgent($input: DeleteAgentInput!) {\n    deleteAgent(input: $input) {\n      id\n    }\n  }\n"): typeof import('./graphql').DeleteAgentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SignIn($input: SignInInput!) {\n    signIn(input: $input) {\n      accessToken\n      expiresAt\n    }\n  }\n"): typeof import('./graphql').SignInDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SignUp($input: SignUpInput!) {\n    signUp(input: $input) {\n      accessToken\n      expiresAt\n    }\n  }\n"): typeof import('./graphql').SignUpDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SignOut {\n    signOut {\n      ok\n    }\n  }\n"): typeof import('./graphql').SignOutDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Viewer {\n    viewer {\n      id\n      email\n      name\n      creditBalance\n      creditsHeld\n      creditsAvailable\n    }\n  }\n"): typeof import('./graphql').ViewerDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ServiceInfo {\n    serviceInfo {\n      version\n      baseUrl\n      signUpOpen\n      creditsHelp\n      supportContact\n    }\n  }\n"): typeof import('./graphql').ServiceInfoDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AgentChoices($after: String) {\n    agents(first: 100, after: $after) {\n      nodes {\n        id\n        name\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): typeof import('./graphql').AgentChoicesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ExportChoices($agentId: ID, $after: String) {\n    viewer {\n      id\n      exports(first: 100, after: $after, filter: { agentId: $agentId }) {\n        nodes {\n          id\n          name\n          state\n          agent {\n            id\n            name\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').ExportChoicesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AgentConversations($id: ID!, $first: Int, $after: String, $filter: ConversationFilter) {\n    agent(id: $id) {\n      id\n      name\n      conversations(first: $first, after: $after, filter: $filter) {\n        searchedTo\n        nodes {\n          id\n          sessionId\n          source\n          userId\n          preview\n          turnCount\n          failedTurns\n          credits\n          lastTurnAt\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').AgentConversationsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Conversations($first: Int, $after: String, $filter: ConversationFilter) {\n    viewer {\n      id\n      conversations(first: $first, after: $after, filter: $filter) {\n        searchedTo\n        nodes {\n          id\n          sessionId\n          source\n          userId\n          preview\n          turnCount\n          failedTurns\n          credits\n          lastTurnAt\n          agent {\n            id\n            name\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').ConversationsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Transcript($id: ID!, $last: Int!, $before: String) {\n    conversation(id: $id) {\n      id\n      sessionId\n      source\n      userId\n      turnCount\n      failedTurns\n      credits\n      createdAt\n      lastTurnAt\n      agent {\n        id\n        name\n      }\n      turns(last: $last, before: $before) {\n        nodes {\n          id\n          number\n          message\n          reply\n          state\n          errorCode\n          finishReason\n          requestId\n          version\n          userId\n          variables {\n            name\n            value\n          }\n          source\n          model\n          credits\n          inputTokens\n          outputTokens\n          createdAt\n          waitedMs\n          firstTextMs\n          durationMs\n          export {\n            id\n            name\n          }\n        }\n        pageInfo {\n          hasPreviousPage\n          startCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').TranscriptDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteConversation($input: DeleteConversationInput!) {\n    deleteConversation(input: $input) {\n      id\n    }\n  }\n"): typeof import('./graphql').DeleteConversationDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteConversations($input: DeleteConversationsInput!) {\n    deleteConversations(input: $input) {\n      deletedCount\n    }\n  }\n"): typeof import('./graphql').DeleteConversationsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CreditHistory($first: Int, $after: String, $filter: CreditFilter) {\n    viewer {\n      id\n      createdAt\n      creditHistory(first: $first, after: $after, filter: $filter) {\n        nodes {\n          id\n          kind\n          amount\n          balanceAfter\n          createdAt\n          note\n          agentName\n          exportName\n          agent {\n            id\n            name\n          }\n          export {\n            id\n            name\n          }\n          turn {\n            id\n            conversationId\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').CreditHistoryDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CreditUsage($from: DateTime!, $to: DateTime!, $timeZone: String) {\n    viewer {\n      id\n      creditUsage(from: $from, to: $to, by: DAY, timeZone: $timeZone) {\n        start\n        credits\n        messages\n      }\n    }\n  }\n"): typeof import('./graphql').CreditUsageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EndUsers($agentId: ID!, $first: Int, $after: String, $filter: EndUserFilter) {\n    agent(id: $agentId) {\n      id\n      name\n    }\n    viewer {\n      id\n      endUsers(first: $first, after: $after, filter: $filter) {\n        nodes {\n          userId\n          lastSeenAt\n          messages\n          credits\n          conversations\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').EndUsersDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteEndUser($input: DeleteEndUserInput!) {\n    deleteEndUser(input: $input) {\n      deletedCount\n    }\n  }\n"): typeof import('./graphql').DeleteEndUserDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AgentExports($id: ID!) {\n    agent(id: $id) {\n      id\n      publishedVersion {\n        number\n        variables {\n          name\n          required\n        }\n        model {\n          name\n          creditsPerMessage\n        }\n      }\n      exports(includeRemoved: true) {\n        id\n        name\n        state\n        createdAt\n        removedAt\n        expiresAt\n        lastUsedAt\n        rateLimitPerMinute\n        version\n        dailyCreditLimit\n        monthlyCreditLimit\n        creditsUsedToday\n        creditsUsedThisMonth\n        requireUserId\n        userDailyMessageLimit\n        keys {\n          id\n          hint\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').AgentExportsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AccountExports($first: Int, $after: String, $filter: ExportFilter) {\n    viewer {\n      id\n      exports(first: $first, after: $after, filter: $filter) {\n        nodes {\n          id\n          name\n          state\n          createdAt\n          removedAt\n          lastUsedAt\n          expiresAt\n          rateLimitPerMinute\n          version\n          dailyCreditLimit\n          monthlyCreditLimit\n          creditsUsedToday\n          creditsUsedThisMonth\n          keys {\n            id\n            hint\n          }\n          agent {\n            id\n            name\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').AccountExportsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateApiExport($input: CreateApiExportInput!) {\n    createApiExport(input: $input) {\n      apiKey\n      export {\n        id\n        name\n      }\n    }\n  }\n"): typeof import('./graphql').CreateApiExportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateApiExport($input: UpdateApiExportInput!) {\n    updateApiExport(input: $input) {\n      export {\n        id\n        name\n        state\n        rateLimitPerMinute\n        version\n        expiresAt\n        dailyCreditLimit\n        monthlyCreditLimit\n        creditsUsedToday\n        creditsUsedThisMonth\n        requireUserId\n        userDailyMessageLimit\n      }\n    }\n  }\n"): typeof import('./graphql').UpdateApiExportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation PauseApiExport($input: PauseApiExportInput!) {\n    pauseApiExport(input: $input) {\n      export {\n        id\n        state\n      }\n    }\n  }\n"): typeof import('./graphql').PauseApiExportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ResumeApiExport($input: ResumeApiExportInput!) {\n    resumeApiExport(input: $input) {\n      export {\n        id\n        state\n      }\n    }\n  }\n"): typeof import('./graphql').ResumeApiExportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemoveApiExport($input: RemoveApiExportInput!) {\n    removeApiExport(input: $input) {\n      export {\n        id\n        state\n        removedAt\n      }\n    }\n  }\n"): typeof import('./graphql').RemoveApiExportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Home {\n    agents(first: 5) {\n      nodes {\n        id\n        name\n        state\n        hasUnpublishedChanges\n        lastUsedAt\n        publishedVersion {\n          number\n        }\n        model {\n          label\n        }\n      }\n      totalCount\n    }\n    viewer {\n      id\n      conversations(first: 5) {\n        nodes {\n          id\n          sessionId\n          source\n          turnCount\n          lastTurnAt\n          agent {\n            id\n            name\n          }\n        }\n      }\n      exports(first: 1) {\n        nodes {\n          id\n        }\n      }\n      charges: creditHistory(first: 1, filter: { kind: CHARGE }) {\n        nodes {\n          id\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').HomeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateStarter($input: CreateAgentInput!) {\n    createAgent(input: $input) {\n      agent {\n        id\n        name\n      }\n    }\n  }\n"): typeof import('./graphql').CreateStarterDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment SentTurn on Turn {\n    id\n    reply\n    state\n    version\n    errorCode\n    finishReason\n    requestId\n    model\n    credits\n    durationMs\n  }\n"): typeof import('./graphql').SentTurnFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription PlaygroundFollow($input: SendTestMessageInput!) {\n    testMessage(input: $input) {\n      __typename\n      ... on TestMessageStarted {\n        turnId\n      }\n      ... on TestMessageDelta {\n        text\n      }\n      ... on TestMessageEnded {\n        conversation {\n          id\n        }\n        turn {\n          ...SentTurn\n        }\n      }\n      ... on TestMessageFailed {\n        conversation {\n          id\n        }\n        turn {\n          ...SentTurn\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').PlaygroundFollowDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PlaygroundLatestTurn($agentId: ID!, $sessionId: String!) {\n    agent(id: $agentId) {\n      id\n      conversations(first: 1, filter: { sessionId: $sessionId, source: PLAYGROUND }) {\n        nodes {\n          id\n          turns(last: 1) {\n            nodes {\n              message\n              ...SentTurn\n            }\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').PlaygroundLatestTurnDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PlaygroundKept($agentId: ID!, $sessionId: String!, $last: Int!) {\n    agent(id: $agentId) {\n      id\n      conversations(first: 1, filter: { sessionId: $sessionId, source: PLAYGROUND }) {\n        nodes {\n          id\n          turns(last: $last) {\n            nodes {\n              message\n              userId\n              variables {\n                name\n                value\n              }\n              ...SentTurn\n            }\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').PlaygroundKeptDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Requests($first: Int, $after: String, $filter: RequestFilter) {\n    viewer {\n      id\n      requests(first: $first, after: $after, filter: $filter) {\n        edges {\n          cursor\n          node {\n            id\n            at\n            outcome\n            status\n            code\n            agent {\n              id\n              name\n            }\n            export {\n              id\n              name\n            }\n            replayed\n            credits\n            durationMs\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').RequestsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Request($id: String!) {\n    request(id: $id) {\n      id\n      at\n      outcome\n      status\n      code\n      detail\n      agent {\n        id\n        name\n      }\n      export {\n        id\n        name\n      }\n      keyHint\n      clientAddress\n      sessionId\n      userId\n      model\n      streamed\n      replayed\n      credits\n      durationMs\n      waitedMs\n      modelMs\n      conversation {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql').RequestDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SignIns {\n    viewer {\n      id\n      signIns {\n        id\n        browser\n        address\n        createdAt\n        lastUsedAt\n        current\n      }\n    }\n  }\n"): typeof import('./graphql').SignInsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EndSignIn($input: EndSignInInput!) {\n    endSignIn(input: $input) {\n      id\n    }\n  }\n"): typeof import('./graphql').EndSignInDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SignOutEverywhere {\n    signOutEverywhere {\n      ok\n    }\n  }\n"): typeof import('./graphql').SignOutEverywhereDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ChangePassword($input: ChangePasswordInput!) {\n    changePassword(input: $input) {\n      account {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql').ChangePasswordDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateAccount($input: UpdateAccountInput!) {\n    updateAccount(input: $input) {\n      account {\n        id\n        name\n      }\n    }\n  }\n"): typeof import('./graphql').UpdateAccountDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteAccount($input: DeleteAccountInput!) {\n    deleteAccount(input: $input) {\n      ok\n    }\n  }\n"): typeof import('./graphql').DeleteAccountDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Review($id: ID!) {\n    agent(id: $id) {\n      id\n      name\n      state\n      missing\n      updatedAt\n      hasUnpublishedChanges\n      instructions\n      temperature\n      maxOutputTokens\n      contextTurns\n      variables {\n        name\n        description\n        required\n        defaultValue\n      }\n      model {\n        name\n        label\n      }\n      publishedVersion {\n        number\n        instructions\n        modelName\n        temperature\n        maxOutputTokens\n        contextTurns\n        variables {\n          name\n          description\n          required\n          defaultValue\n        }\n        model {\n          name\n          label\n        }\n      }\n      exports {\n        id\n        name\n        version\n      }\n    }\n  }\n"): typeof import('./graphql').ReviewDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Versions($id: ID!, $first: Int, $after: String) {\n    agent(id: $id) {\n      id\n      versions(first: $first, after: $after) {\n        edges {\n          cursor\n          node {\n            number\n            createdAt\n            note\n            modelName\n            model {\n              name\n              label\n              creditsPerMessage\n              available\n            }\n            pinnedBy {\n              id\n              name\n            }\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').VersionsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query VersionContent($id: ID!, $after: String) {\n    agent(id: $id) {\n      id\n      versions(first: 2, after: $after) {\n        nodes {\n          number\n          instructions\n          modelName\n          temperature\n          maxOutputTokens\n          contextTurns\n          variables {\n            name\n            description\n            required\n            defaultValue\n          }\n          model {\n            name\n            label\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').VersionContentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query VersionVariables($id: ID!, $after: String) {\n    agent(id: $id) {\n      id\n      versions(first: 2, after: $after) {\n        nodes {\n          number\n          variables {\n            name\n            description\n            required\n            defaultValue\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').VersionVariablesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation PublishAgent($input: PublishAgentInput!) {\n    publishAgent(input: $input) {\n      version {\n        number\n      }\n    }\n  }\n"): typeof import('./graphql').PublishAgentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DiscardAgentChanges($input: DiscardAgentChangesInput!) {\n    discardAgentChanges(input: $input) {\n      agent {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql').DiscardAgentChangesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RestoreAgentVersion($input: RestoreAgentVersionInput!) {\n    restoreAgentVersion(input: $input) {\n      agent {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql').RestoreAgentVersionDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RenewAccess {\n    renewAccess {\n      accessToken\n      expiresAt\n    }\n  }\n"): typeof import('./graphql').RenewAccessDocument;


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
